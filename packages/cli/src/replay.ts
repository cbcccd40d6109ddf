// All migrations in an empty database of a throwaway server, before a new one is written.

import { connect, EmbeddedError, type Migration, replayMigrations, startThrowaway } from "@stoa/database";
import { printDifferences } from "./differences.js";
import { EXIT, Failure } from "./failure.js";

/** Says what is wrong, if the files do not lead to the last snapshot. */
export async function replay(
  migrations: readonly Migration[],
  { json = false }: { readonly json?: boolean },
) {
  const outcome = await replayInThrowaway(migrations);
  if (outcome.kind === "equal") return true;
  if (outcome.kind === "failed") {
    throw new Failure(`The migrations cannot be replayed in an empty database: ${outcome.message}`, {
      hint: "mend up.sql of that migration; nothing was written",
    });
  }
  const message = `Replayed in an empty database, the migrations up to ${outcome.migration} do not lead to its snapshot.`;
  printDifferences(message, outcome.differences, {
    json,
    hint: "what was changed by hand in an up.sql must be in the models too; nothing was written",
  });
  return false;
}

async function replayInThrowaway(migrations: readonly Migration[]) {
  const server = await startThrowaway().catch((error: unknown) => {
    if (!(error instanceof EmbeddedError)) throw error;
    throw new Failure(error.message, {
      hint: error.hint ?? "run the command again",
      exitCode: EXIT.environment,
    });
  });
  try {
    const session = connect({ url: server.url, poolSize: 1 });
    try {
      return await replayMigrations(session, migrations);
    } finally {
      await session.close();
    }
  } finally {
    await server.stop();
  }
}
