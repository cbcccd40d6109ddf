import { expect, test } from "vitest";
import type { Call } from "../src/exchange.js";
import { gate, get, route, sendRaw, testHttp, until } from "./http-notation.js";

const HERE = { port: 0, host: "127.0.0.1" };

/** An endpoint that hangs, and tells what it hears of the end. */
function hanging() {
  const started = gate();
  const heard: string[] = [];
  let call: Call | undefined;
  const handle = (given: Call): Promise<never> => {
    call = given;
    given.departure?.addEventListener("abort", () => heard.push("departure"));
    const silent = () => heard.push("silent");
    given.departure?.addEventListener("abort", silent);
    given.departure?.removeEventListener("abort", silent);
    started.open();
    return new Promise(() => {});
  };
  return {
    routes: [route("GET /api/stuck", handle)],
    started,
    heard,
    isGone: () => call?.departure?.aborted,
  };
}

test("statements hear that the client is gone", async () => {
  const { routes, started, heard, isGone } = hanging();
  const server = await testHttp(routes).listen(HERE);
  const answer = sendRaw(server.port, get("/api/stuck"));
  await started.opened;
  expect(isGone()).toBe(false);
  await server.close({ deadlineMs: 0 });
  await answer;
  await until(() => heard.length > 0);
  expect([heard, isGone()]).toEqual([["departure"], true]);
});

test("statements hear that the time is over", async () => {
  const { routes, heard, isGone } = hanging();
  const http = testHttp(routes, { requestTimeoutMs: 20 });
  const { status } = await http.fetch(new Request("http://test/api/stuck"));
  expect([status, heard, isGone()]).toEqual([503, ["departure"], true]);
});
