// A server in front of the server, which tests can take away, bring back, and keep silent.

import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ServerProxy {
  /** The address to connect to instead of the real one. */
  readonly url: string;
  /** How many connections are open through it. */
  readonly connectionCount: number;
  /** What clients have sent, in the pieces in which it came. */
  readonly sent: Buffer[];
  /** Cuts all connections. */
  cut(): void;
  /**
   * Lets so many more messages of one side pass, then cuts the connection. Of answers to what has passed the
   * client then hears nothing; the server has all the time it wants. A client that is not deaf hears answers until
   * the last message has passed.
   */
  cutAfter(side: "client" | "server", messages: number, options?: { readonly isDeaf?: boolean }): void;
  /** Cuts all connections, and takes no new ones. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Takes connections, and never says a word. */
  goSilent(): void;
  /** The next connection is closed as soon as something was sent on it. */
  overhearNext(): void;
  close(): Promise<void>;
}

export async function startProxy(serverUrl: string): Promise<ServerProxy> {
  const folder = mkdtempSync(join(tmpdir(), "stoa-proxy-"));
  const url = new URL(serverUrl);
  const target = `${url.searchParams.get("host")}/.s.PGSQL.${url.searchParams.get("port")}`;
  url.searchParams.set("host", folder);
  url.searchParams.set("port", "5432");
  const sockets = new Set<Socket>();
  const upstreams = new Map<Socket, Socket>();
  const sent: Buffer[] = [];
  let isSilent = false;
  let isOverhearing = false;
  let server: Server | undefined;
  const relay = (client: Socket) => {
    sockets.add(client);
    client.on("error", () => {});
    client.on("close", () => {
      sockets.delete(client);
      upstreams.delete(client);
    });
    if (isSilent) {
      client.resume();
      return;
    }
    if (isOverhearing) {
      isOverhearing = false;
      client.once("data", () => client.destroy());
      return;
    }
    const upstream = connect(target);
    upstreams.set(client, upstream);
    upstream.on("error", () => client.destroy());
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.on("data", (chunk: Buffer) => sent.push(chunk));
    client.pipe(upstream).pipe(client);
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const comeBack = () =>
    new Promise<void>((resolve) => {
      server = createServer(relay).listen(join(folder, ".s.PGSQL.5432"), resolve);
    });
  const goDown = () =>
    new Promise<void>((resolve) => {
      cut();
      server?.close(() => resolve());
    });
  await comeBack();
  return {
    url: url.href,
    sent,
    get connectionCount() {
      return sockets.size;
    },
    cut,
    cutAfter: (side, messages, { isDeaf = true } = {}) => {
      for (const [client, upstream] of upstreams) {
        const deafen = () => upstream.unpipe(client).resume();
        if (side === "server") {
          upstream.unpipe(client);
          passMessages(upstream, client, { count: messages });
        } else {
          client.unpipe(upstream);
          if (isDeaf) deafen();
          passMessages(client, upstream, { count: messages, atEnd: deafen });
        }
      }
    },
    goDown,
    comeBack,
    goSilent: () => {
      isSilent = true;
    },
    overhearNext: () => {
      isOverhearing = true;
    },
    close: async () => {
      await goDown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Passes so many messages on and then says goodbye. Called between two messages. */
function passMessages(
  from: Socket,
  to: Socket,
  { count, atEnd = () => {} }: { readonly count: number; readonly atEnd?: () => void },
): void {
  let seen = Buffer.alloc(0);
  from.on("data", (chunk: Buffer) => {
    if (to.writableEnded) return;
    const passed = seen.length;
    seen = Buffer.concat([seen, chunk]);
    const end = endOf(seen, count);
    if (end === undefined) to.write(chunk);
    else {
      atEnd();
      to.end(seen.subarray(passed, end));
    }
  });
  from.resume();
}

/** Where so many messages end; undefined when there are not so many yet. */
function endOf(messages: Buffer, count: number): number | undefined {
  let at = 0;
  for (let passed = 0; passed < count; passed++) {
    if (at + 5 > messages.length) return undefined;
    at += 1 + messages.readInt32BE(at + 1);
  }
  return at > messages.length ? undefined : at;
}
