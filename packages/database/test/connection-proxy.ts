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
  /** Cuts all connections. */
  cut(): void;
  /** Cuts all connections, and takes no new ones. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Takes connections, and never says a word. */
  goSilent(): void;
  close(): Promise<void>;
}

export async function startProxy(serverUrl: string): Promise<ServerProxy> {
  const folder = mkdtempSync(join(tmpdir(), "stoa-proxy-"));
  const url = new URL(serverUrl);
  const target = `${url.searchParams.get("host")}/.s.PGSQL.${url.searchParams.get("port")}`;
  url.searchParams.set("host", folder);
  url.searchParams.set("port", "5432");
  const sockets = new Set<Socket>();
  let isSilent = false;
  let server: Server | undefined;
  const relay = (client: Socket) => {
    sockets.add(client);
    client.on("error", () => {});
    client.on("close", () => sockets.delete(client));
    if (isSilent) {
      client.resume();
      return;
    }
    const upstream = connect(target);
    upstream.on("error", () => client.destroy());
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
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
    get connectionCount() {
      return sockets.size;
    },
    cut,
    goDown,
    comeBack,
    goSilent: () => {
      isSilent = true;
    },
    close: async () => {
      await goDown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
