// What a caller gets: an address to connect to, and the way to let go of the server.

export interface EmbeddedServer {
  /** For `connect`. */
  readonly url: string;
  readonly dataDir: string;
  /** Whether this process started the server, and so stops it. */
  readonly isOwner: boolean;
  /** Something the user should know, such as that the data is not where one would look for it. */
  readonly note?: string;
  /** The owner stops the server; the others only let go of it. */
  stop(): Promise<void>;
}
