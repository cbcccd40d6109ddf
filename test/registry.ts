// A registry of npm packages within the process of a test, so that `npm install` and `npm create` run as they do for
// users, without the internet: our own packages as they would be published, and those of others packed anew from what
// is installed here. A package that is not installed here, such as those for other platforms, does not exist.

import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ROOT } from "../tools/bootstrap.mjs";
import {
  dependenciesOf,
  dependencyFolders,
  type Packed,
  PUBLISHED,
  pack,
  readManifest,
} from "../tools/packages.mjs";

export interface Registry {
  readonly url: string;
  /** What npm has to be told: where the registry is, and to leave the settings of this machine alone. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** `others` are packages that are installed here, beside what ours bring along. */
export async function startRegistry(others: readonly string[]): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), "stoa registry "));
  const ours = PUBLISHED.map((name) => join(ROOT, "packages", name));
  const folders = [...ours, ...ours.flatMap(dependenciesOf), ...dependencyFolders(others)];
  const byName = new Map(folders.map((each) => [String(readManifest(each).name), each]));
  const packing = new Map<string, Promise<Packed>>();
  /** Each is packed when it is first asked for. */
  const packed = (name: string, from: string): Promise<Packed> => {
    const known = packing.get(name) ?? (ours.includes(from) ? pack(from, folder) : packOnce(from));
    packing.set(name, known);
    return known;
  };
  const server = createServer(async ({ url = "/" }, response) => {
    const name = decodeURIComponent(url.slice(1)).replace(/\.tgz$/, "");
    const from = byName.get(name);
    if (from === undefined) return response.writeHead(404).end("{}");
    const { file, integrity } = await packed(name, from);
    if (url.endsWith(".tgz")) return createReadStream(file).pipe(response);
    const manifest = readManifest(from);
    const tarball = `http://${response.req.headers.host}/${name}.tgz`;
    const versions = { [manifest.version]: { ...manifest, dist: { tarball, integrity } } };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ name, "dist-tags": { latest: manifest.version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    env: environment(url, folder),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Packages of others are large and do not change: they are kept for the next run. */
async function packOnce(from: string): Promise<Packed> {
  const { name, version } = readManifest(from);
  const kept = join(ROOT, "node_modules/.cache/stoa-packed", `${name.replace("/", "+")}-${version}`);
  const about = join(kept, "packed.json");
  if (!existsSync(about)) {
    const fresh = `${kept}.${process.pid}`;
    await mkdir(fresh, { recursive: true });
    const { file, ...packed } = await pack(from, fresh);
    await writeFile(join(fresh, "packed.json"), JSON.stringify({ ...packed, file: basename(file) }));
    // Another run may have been quicker; its folder is as good.
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }));
  }
  const packed: Packed = JSON.parse(await readFile(about, "utf8"));
  return { ...packed, file: join(kept, packed.file) };
}

function environment(registry: string, folder: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined && !/^(npm_|NODE_ENV$|NODE_OPTIONS$|DATABASE_URL$|VITEST|TEST)/i.test(name),
  );
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    npm_config_registry: registry,
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_cache: join(folder, "cache"),
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_yes: "true",
    NO_COLOR: "1",
  };
}
