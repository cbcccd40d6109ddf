// Where a request comes from, as limits count it.

import { isIP, isIPv6 } from "node:net";
import type { Call } from "../exchange.js";

/** Null where nobody knows: within the process. */
export function addressOf(call: Pick<Call, "headers" | "remoteAddress">, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? lastHop(call.headers["x-forwarded-for"]) : null;
  const address = forwarded ?? call.remoteAddress;
  return address === null ? null : countedAddress(address);
}

/** The one that our own proxy has added; those before it are what the client says. */
function lastHop(header: string | readonly string[] | undefined): string | null {
  const text = typeof header === "string" ? header : header?.join(",");
  const hop = text?.split(",").at(-1)?.trim() ?? "";
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(bare) === 0 ? null : bare;
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whoever has one address of IPv6 has a network of them: all that share the first half count as one. */
function countedAddress(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  const compressed = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [head = "", tail] = compressed.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = new Array<string>(8 - first.length - last.length).fill("0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}
