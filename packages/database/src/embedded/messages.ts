// What is said when the embedded server cannot be used: what is wrong, and what to do.

import { EmbeddedError, systemCode } from "./failure.js";

const USE_SERVER = "set DATABASE_URL to a PostgreSQL server";

export function noProjectFolder(folder: string, cause: unknown): EmbeddedError {
  return new EmbeddedError(`The project folder does not exist: ${folder}`, { cause });
}

export function otherVersion(dataDir: string, found: string, ours: string): EmbeddedError {
  return new EmbeddedError(
    `The data in ${dataDir} was made by PostgreSQL ${found}, and this is PostgreSQL ${ours}. Nothing was touched.`,
    {
      hint: `Use the version of Stoa that made it, or move the folder away to begin with an empty database (pg_dump of PostgreSQL ${found} can carry the data over).`,
    },
  );
}

export function notDataFolder(dataDir: string): EmbeddedError {
  return new EmbeddedError(`${dataDir} is not a PostgreSQL data folder. Nothing was touched.`, {
    hint: "Move it away to begin with an empty database.",
  });
}

export function notOurs(dataDir: string, cause: unknown): EmbeddedError {
  return new EmbeddedError(`The database in ${dataDir} belongs to another user.`, {
    hint: `Run the command as that user, change the owner of the folder, or ${USE_SERVER}.`,
    cause,
  });
}

export function cannotWrite(folder: string, cause: unknown): EmbeddedError {
  const code = systemCode(cause);
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(folder, cause);
  if (code === "EROFS") return readOnlyDisk(folder, cause);
  return new EmbeddedError(
    `The database needs to write to ${folder}, and may not (${code ?? String(cause)}).`,
    {
      hint: `Give this user the right to write there, or ${USE_SERVER}.`,
      cause,
    },
  );
}

export function diskFull(folder: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError(`There is no space left on the disk for the database in ${folder}.`, {
    hint: `Free some space (a new database takes about 40 MB) and try again, or ${USE_SERVER}.`,
    cause,
  });
}

export function readOnlyDisk(folder: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError(`The database needs to write to ${folder}, and that disk is read-only.`, {
    hint: `Work in a folder that can be written to, or ${USE_SERVER}.`,
    cause,
  });
}

export function stillRunning(dataDir: string, pid: number): EmbeddedError {
  return new EmbeddedError(`A PostgreSQL server (process ${pid}) holds ${dataDir} and does not answer.`, {
    hint: "End that process and try again.",
  });
}

/** Reads PostgreSQL's own words for the cases that users can do something about. */
export function processFailed(what: string, folder: string, output: string): EmbeddedError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder);
  if (/Read-only file system/.test(output)) return readOnlyDisk(folder);
  const library = /error while loading shared libraries: ([^:\s]+)|Library not loaded: (\S+)/.exec(output);
  if (library !== null) {
    return new EmbeddedError(
      `PostgreSQL needs a system library that is missing: ${library[1] ?? library[2]}.`,
      {
        hint: `Install it with the system's package manager, or ${USE_SERVER}.`,
      },
    );
  }
  if (/could not look up effective user ID/.test(output)) {
    return new EmbeddedError(
      "PostgreSQL needs the user it runs as to be in the list of users (/etc/passwd).",
      {
        hint: `Add an entry for this user id, run as a user that has one, or ${USE_SERVER}.`,
      },
    );
  }
  if (/shared memory/.test(output) && !/still in use/.test(output)) {
    return new EmbeddedError("PostgreSQL could not get the shared memory that it needs.", {
      hint: `In a container, give it more (docker run --shm-size=256m), or ${USE_SERVER}.`,
      cause: new Error(lastLines(output)),
    });
  }
  return new EmbeddedError(`${what} failed.`, {
    hint: lastLines(output) || "It said nothing about the reason.",
  });
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-12).join("\n");
}

export function dataElsewhere(folder: string, project: string): string {
  return `The database is in ${folder}: PostgreSQL does not run as root, and the account it runs as cannot enter ${project}.`;
}
