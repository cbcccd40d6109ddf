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
import { type EmbeddedServer, serverUrl } from "./server.js";
import { PORT, StartFailure, startProcess } from "./server-process.js";

const SETTINGS = {
  port: String(PORT),
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "100",
};

export interface ThrowawayOptions {
  /** Further PostgreSQL settings, over ours. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startThrowaway(options: ThrowawayOptions = {}): Promise<EmbeddedServer> {
  const account = chooseAccount([]);
  const binaries = findBinaries(account);
  const template = await ensureTemplate(binaries, account);
  const folder = makePrivateFolder("stoa-test-", account);
  const dataDir = join(folder, "data");
  const settings = { ...SETTINGS, ...options.settings };
  const plan = {
    ...{ binaries, account, dataDir, socketDir: folder, logPath: join(folder, "log"), settings },
    signal: "QUIT" as const,
    remove: folder,
    ...(template === undefined ? {} : { copy: { from: template, to: dataDir } }),
  };
  try {
    if (template === undefined) await initialiseThrowaway({ binaries, account, dataDir });
    const { supervisor } = await startProcess(plan);
    return {
      url: serverUrl({ socketDir: folder, port: Number(settings.port), database: "postgres" }),
      dataDir,
      isOwner: true,
      stop: async () => {
        supervisor.letGo();
        await supervisor.ended;
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error instanceof StartFailure
      ? processFailed("Starting a throwaway PostgreSQL", folder, error.log)
      : error;
  }
}

/**
 * An initialised data folder to copy, which takes a tenth of the time that initdb takes. Undefined when its
 * place is somebody else's.
 */
async function ensureTemplate(binaries: Binaries, account: Account): Promise<string | undefined> {
  const parent = join(tmpdir(), `stoa-template-${binaries.version}-${account.uid}`);
  if (!claimFolder(parent, account)) return undefined;
  const template = join(parent, "data");
  if (existsSync(template)) return template;
  const fresh = join(parent, randomBytes(6).toString("hex"));
  await initialiseThrowaway({ binaries, account, dataDir: fresh });
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
