// The generated client of every example as a module of a page, in a real browser.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeClient } from "@stoa/generators";
import { expect, test } from "vitest";
import { openPage } from "../browser.js";
import { TRANSCRIPTS } from "./client-transcripts.js";
import { EXAMPLES, type RunningExample, runExample } from "./example.js";

const SCENARIOS = readFileSync(new URL("client-scenarios.mjs", import.meta.url), "utf8");
const PAGE = '<!doctype html><link rel="icon" href="data:,"><title>Client</title>';
/** What a browser says of requests that are refused, and there are many in the scenarios. */
const REFUSED = /the server responded with a status of 4/;

async function servePage({ definition, application }: RunningExample): Promise<Server> {
  const [client] = writeClient(definition, { target: "js" });
  const files = new Map([
    ["/", ["text/html", PAGE]],
    ["/client.js", ["text/javascript", client?.text ?? ""]],
    ["/scenarios.js", ["text/javascript", SCENARIOS]],
  ]);
  const server = createServer((request, response) =>
    application.listener(request, response, () => {
      const [type = "text/plain", text = "nothing"] = files.get(request.url ?? "") ?? [];
      response.writeHead(200, { "Content-Type": type }).end(text);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test.for(EXAMPLES)("the client of %s does in a browser what it does in Node", async (name, ctx) => {
  const { page, complaints, elsewhere } = await openPage(ctx, { expected: REFUSED });
  const running = await runExample(name);
  const server = await servePage(running);
  ctx.onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await running.close();
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  // Without an address: a client in a page asks where the page is from.
  const code = `Promise.all([import("/scenarios.js"), import("/client.js")]).then(([all, client]) => all.${name}(client))`;
  expect(await page.evaluate(code)).toEqual(TRANSCRIPTS[name]);
  expect(complaints).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(running.failures).toEqual([]);
});
