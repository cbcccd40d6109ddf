// The port of `stoa dev`: which one it takes, and how it leaves it.

import { createLog, type NodeListener } from "@stoa/runtime";
import { expect, it } from "vitest";
import { Port } from "../src/dev/port.js";
import { until } from "./serve.js";

const log = createLog({ level: "silent", destination: { write: () => {} } });
const host = "127.0.0.1";

function open(
  port: number,
  isPortChosen: boolean,
  listener: NodeListener = (_, response) => response.end("here"),
) {
  return Port.open({ listener, log }, { port, host, isPortChosen });
}

const portOf = ({ url }: Port) => Number(new URL(url).port);

it("takes the next free port where nobody has asked for this very one, and says so", async () => {
  const first = await open(0, true);
  const second = await open(portOf(first), false);
  expect(portOf(second)).toBeGreaterThan(portOf(first));
  expect([first.takenPort, second.takenPort]).toEqual([null, portOf(first)]);
  await Promise.all([first.close(), second.close()]);
});

it("refuses a port that was asked for and is taken, with what to do", async () => {
  const first = await open(0, true);
  await expect(open(portOf(first), true)).rejects.toMatchObject({
    message: `Port ${portOf(first)} of 127.0.0.1 is in use by another program.`,
    hint: expect.stringContaining("--port"),
  });
  await first.close();
});

it("moves to another address, and finishes at the old one what has come there", async () => {
  let finish: (() => void) | undefined;
  const port = await open(0, true, (request, response) => {
    if (request.url === "/slow") finish = () => response.end("finished");
    else response.end("here");
  });
  const { url: old } = port;
  const slow = fetch(`${old}/slow`).then((response) => response.text());
  await until(() => finish !== undefined);
  expect(await port.move({ port: 0, host, isPortChosen: true })).toBe(false);
  expect(await port.move({ port: 0, host: "localhost", isPortChosen: true })).toBe(true);
  expect(await (await fetch(port.url)).text()).toBe("here");
  await until(async () => (await fetch(old).catch(() => null)) === null);
  finish?.();
  expect(await slow).toBe("finished");
  await port.close();
});
