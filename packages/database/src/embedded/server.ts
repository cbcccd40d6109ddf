// What a caller gets: an address to connect to, and the way to let go of the server.

import { USER } from "./server-process.js";

export interface EmbeddedServer {
  /** For `connect`. Holds no password: the socket can be reached by this user alone. */
  readonly url: string;
  readonly dataDir: string;
  /** Whether this process started the server, and so stops it. */
  readonly isOwner: boolean;
  /** Something the user should know, such as that the data is not where one would look for it. */
  readonly note?: string;
  /** The owner stops the server; the others only let go of it. */
  stop(): Promise<void>;
}

export interface ServerPlace {
  readonly socketDir: string;
  readonly port: number;
  readonly database: string;
}

export function serverUrl({ socketDir, port, database }: ServerPlace): string {
  // A URL needs a host; the parameter `host` wins over it.
  const path = encodeURIComponent(database);
  return `postgres://${USER}@localhost/${path}?host=${encodeURIComponent(socketDir)}&port=${port}`;
}
