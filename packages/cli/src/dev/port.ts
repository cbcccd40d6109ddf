// The port: the one that was asked for, or else the first free one from the usual on. It can be left for another
// while requests are under way.

import { ListenError, type ListeningServer, type Log, listenWith, type NodeListener } from "@stoa/runtime";
import { EXIT, Failure } from "../failure.js";
import type { DevSettings } from "./settings.js";

export type Address = Pick<DevSettings, "port" | "host" | "isPortChosen">;

export interface Answering {
  readonly listener: NodeListener;
  readonly log: Log;
}

const MOST_NEIGHBOURS = 10;
const REQUESTS_END_MS = 5_000;

export class Port {
  readonly #answering: Answering;
  #address: Address;
  #server: ListeningServer;

  private constructor(answering: Answering, address: Address, server: ListeningServer) {
    this.#answering = answering;
    this.#address = address;
    this.#server = server;
  }

  static async open(answering: Answering, address: Address): Promise<Port> {
    return new Port(answering, address, await listenNearby(answering, address));
  }

  /** Where a browser on this machine finds it. */
  get url(): string {
    return this.#server.url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, "//localhost:");
  }

  /** The port that was wanted and is another's; null if it is ours. */
  get takenPort(): number | null {
    const { port } = this.#address;
    return port === 0 || port === this.#server.port ? null : port;
  }

  /** False if it stays where it is. What has come to the old address is finished there. */
  async move(address: Address): Promise<boolean> {
    const { port, host } = this.#address;
    if (address.port === port && address.host === host) return false;
    const server = await listenNearby(this.#answering, address);
    const left = this.#server;
    this.#server = server;
    this.#address = address;
    void left.close({ deadlineMs: REQUESTS_END_MS });
    return true;
  }

  close(): Promise<void> {
    return this.#server.close({ deadlineMs: REQUESTS_END_MS });
  }
}

async function listenNearby(
  answering: Answering,
  { port: first, host, isPortChosen }: Address,
): Promise<ListeningServer> {
  const last = isPortChosen || first === 0 ? first : first + MOST_NEIGHBOURS;
  for (let port = first; ; port++) {
    try {
      return await listenWith({ ...answering, port, host });
    } catch (error) {
      if (!(error instanceof ListenError)) throw error;
      if (isInUse(error) && port < last) continue;
      throw describeFailure(error, first, port);
    }
  }
}

function isInUse({ cause }: ListenError): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}

function describeFailure(error: ListenError, first: number, last: number): Failure {
  const hint =
    first === last
      ? `${lowerFirst(error.hint ?? "choose another address")} (--port, --host)`
      : `all ports from ${first} to ${last} are in use: choose another (--port)`;
  return new Failure(error.message, { hint, exitCode: EXIT.environment });
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, "")}`;
}
