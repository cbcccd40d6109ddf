// A server for one test run: in a temporary folder, without the care for the disk that makes data last, and
// gone when the process that started it is gone.

import { randomBytes } from "node:crypto";
import { chownSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, chooseAccount } from "./account.js";
import { type Binaries, findBinaries } from "./binaries.js";
import { systemCode } from "./failure.js";
import { type Initialisation, initialise } from "./initialise.js";
import { processFailed } from "./messages.js";
import { makePrivateFolder } from "./private-folder.js";
import { chooseReach, hasSockets, reachInFolder, urlOf } from "./reach.js";
import type { EmbeddedServer } from "./server.js";
import { StartFailure, startProcess } from "./server-process.js";

/** To be counted up when initdb is called differently. */
const TEMPLATE_FORM = 1;
/**
 * Without `synchronous_commit` a crash of any of its processes takes along what was committed in the last half second,
 * new tables among it. Whoever wants to see a crash survived sets it to `on`.
 */
const SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

export interface ThrowawayOptions {
  /** Further PostgreSQL settings, over ours. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startThrowaway({ settings = {} }: ThrowawayOptions = {}): Promise<EmbeddedServer> {
  const account = chooseAccount([]);
  const binaries = findBinaries(account);
  const template = await ensureTemplate(binaries, account);
  const folder = makePrivateFolder("stoa-test-", account);
  const dataDir = join(folder, "data");
  const passwordPath = join(folder, "password");
  try {
    if (template === undefined) await initialiseThrowaway({ binaries, account, dataDir, passwordPath });
    const place = hasSockets ? reachInFolder(folder) : await chooseReach(passwordPath);
    const reach = { ...place, port: Number(settings.port ?? place.port) };
    const plan = {
      ...{ binaries, account, dataDir, reach, logPath: join(folder, "log"), remove: folder },
      settings: { ...SETTINGS, ...settings },
      ...(template === undefined ? {} : { copy: { from: template, to: dataDir } }),
    };
    const { supervisor } = await startProcess({ ...plan, signal: "QUIT" });
    const stop = async () => {
      supervisor.letGo();
      await supervisor.ended;
    };
    return { url: urlOf(reach, "postgres"), dataDir, isOwner: true, stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!(error instanceof StartFailure)) throw error;
    throw processFailed("Starting a throwaway PostgreSQL", folder, error.log);
  }
}

/**
 * An initialised data folder to copy, which takes a tenth of the time that initdb takes. Undefined when its
 * place is somebody else's, and on Windows, where nothing here can copy.
 */
async function ensureTemplate(binaries: Binaries, account: Account): Promise<string | undefined> {
  const parent = join(tmpdir(), `stoa-template-${binaries.version}-${account.uid}-${TEMPLATE_FORM}`);
  if (!hasSockets || !claimFolder(parent, account)) return undefined;
  const template = join(parent, "data");
  if (existsSync(template)) return template;
  const fresh = join(parent, randomBytes(6).toString("hex"));
  await initialiseThrowaway({ binaries, account, dataDir: fresh, passwordPath: "" });
  try {
    renameSync(fresh, template);
  } catch {
    // Another run was quicker; its folder is as good.
    rmSync(fresh, { recursive: true, force: true });
  }
  return template;
}

/** Everyone can write to the temporary folder, so what is there already may be a trap: a link, or open to others. */
function claimFolder(path: string, account: Account): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    if (account.switch.uid !== undefined) chownSync(path, account.uid, account.gid);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") return false;
  }
  const status = lstatSync(path);
  const isPrivate = account.uid < 0 || (status.uid === account.uid && (status.mode & 0o077) === 0);
  return status.isDirectory() && isPrivate;
}

async function initialiseThrowaway(options: Initialisation): Promise<void> {
  const { isOk, output } = await initialise(options);
  if (!isOk) throw processFailed("Making a throwaway database (initdb)", options.dataDir, output);
}
