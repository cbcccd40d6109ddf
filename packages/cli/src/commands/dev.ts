// `stoa dev`: builds, serves and watches a project while it is worked on.

import { Session } from "../dev/session.js";
import type { DevFlags } from "../dev/settings.js";
import { EXIT } from "../failure.js";
import { listenForStop } from "../stop-request.js";

export type { DevFlags } from "../dev/settings.js";

/** Whatever does not come to its end by itself. */
const END_MS = 15_000;

export async function dev(path: string, flags: DevFlags): Promise<number> {
  const stop = listenForStop();
  try {
    const session = await Session.open(path, flags);
    await Promise.race([stop.signal, session.quitting]);
    const limit = setTimeout(() => process.exit(), END_MS);
    await session.close();
    clearTimeout(limit);
    return EXIT.ok;
  } finally {
    stop.forget();
  }
}
