// The way to the server: a unix socket or TCP, with TLS where it is asked for.

import { connect as connectSocket, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { Target } from "../connect-options.js";
import { connectTimedOut, tlsRefused, unreachable } from "../errors.js";
import { MessageWriter, writeTlsRequest } from "./messages.js";

/** A socket that is ready for the first message. It fails with a `DatabaseError`, and then leaves nothing open. */
export async function openTransport(target: Target, deadline: Deadline): Promise<Socket> {
  const plain = openSocket(target);
  deadline.onPassed(() => plain.destroy(connectTimedOut(target)));
  try {
    await nextEvent(plain, "connect");
    return await secure(plain, target, deadline);
  } catch (error) {
    plain.destroy();
    throw deadline.hasPassed ? connectTimedOut(target) : asUnreachable(target, error);
  }
}

function asUnreachable(target: Target, error: unknown): unknown {
  return error instanceof Error && error.name === "DatabaseError" ? error : unreachable(target, error);
}

function openSocket({ host, port }: Target): Socket {
  if (host.startsWith("/")) return connectSocket({ path: `${host}/.s.PGSQL.${port}` });
  return connectSocket({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
}

async function secure(plain: Socket, target: Target, deadline: Deadline): Promise<Socket> {
  const { mode } = target.tls;
  if (mode === "disable" || target.host.startsWith("/")) return plain;
  const writer = new MessageWriter();
  writeTlsRequest(writer);
  plain.write(writer.take());
  const [answer] = (await nextEvent(plain, "data")) as [Buffer];
  plain.pause();
  const isOffered = answer.toString("latin1") === "S";
  // Bytes after the answer were sent by somebody who is not the other end of TLS.
  if (!isOffered && answer.length > 1) throw tlsRefused(target);
  if (!isOffered && mode === "prefer") return plain;
  if (!isOffered) throw tlsRefused(target);
  const socket = connectTls({ socket: plain, ...tlsOptions(target) });
  deadline.onPassed(() => socket.destroy(connectTimedOut(target)));
  try {
    await nextEvent(socket, "secureConnect");
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function tlsOptions({ host, tls }: Target): ConnectionOptions {
  const { mode, ca, cert, key } = tls;
  return {
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Like `once` of node:events, but the end of the socket without an error counts as a failure too. */
function nextEvent(socket: Socket, name: "connect" | "data" | "secureConnect"): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const onEvent = (...values: unknown[]) => {
      forget();
      resolve(values);
    };
    const onError = (error: Error) => {
      forget();
      // A destroyed socket may fail once more, and nobody listens any longer.
      socket.on("error", () => {});
      reject(error);
    };
    const onClose = () => onError(new Error("the server closed the connection"));
    const forget = () => {
      socket.off(name, onEvent);
      socket.off("error", onError);
      socket.off("close", onClose);
    };
    socket.once(name, onEvent);
    socket.once("error", onError);
    socket.once("close", onClose);
  });
}

/** One limit for all steps of connecting. */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #actions: (() => void)[] = [];
  hasPassed = false;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      for (const action of this.#actions) action();
    }, milliseconds);
  }

  onPassed(action: () => void): void {
    this.#actions.push(action);
  }

  lift(): void {
    clearTimeout(this.#timer);
  }
}
