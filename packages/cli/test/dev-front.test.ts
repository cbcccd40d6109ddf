// What listens on the port of `stoa dev`: versions taking over from one another, and what is shown meanwhile.

import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { createLog, listenWith, type NodeListener } from "@stoa/runtime";
import { expect, it } from "vitest";
import { EVENTS_PATH } from "../src/dev/error-page.js";
import { createFront, type Front } from "../src/dev/front.js";
import type { Trouble } from "../src/dev/trouble.js";
import { until } from "./serve.js";

const BROKEN: Trouble = {
  title: "the sources have 1 error",
  render: ({ error }) => `${error("error")}: <script>alert("x")</script> & \ue000more`,
};
const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function whileFronting(use: (front: Front, url: string) => Promise<void>): Promise<void> {
  const front = createFront();
  const log = createLog({ level: "silent", destination: { write: () => {} } });
  const server = await listenWith({ listener: front.listener, log, port: 0, host: "127.0.0.1" });
  try {
    await use(front, server.url);
  } finally {
    front.close();
    await server.close({ deadlineMs: 100 });
  }
}

function version(name: string): NodeListener {
  return (_, response) => {
    response.end(name);
  };
}

/** One request on a connection that stays; with the local port, which tells connections apart. */
function ask(url: string, agent: Agent): Promise<{ text: string; port: number | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response: IncomingMessage) => {
      const { localPort } = response.socket;
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ text, port: localPort }));
    }).on("error", reject);
  });
}

it("keeps requests that come before the first version, until there is one", () =>
  whileFronting(async (front, url) => {
    const early = Promise.all([fetch(url), fetch(url, { method: "POST", body: "{}" })]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    front.use(version("one"));
    expect(await Promise.all((await early).map((response) => response.text()))).toEqual(["one", "one"]);
  }));

it("lets a kept connection meet the new version, and a request under way end with the old one", () =>
  whileFronting(async (front, url) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let held: ServerResponse | undefined;
    front.use((request, response) => {
      if (request.url === "/slow") held = response;
      else response.end("old");
    });
    const before = await ask(url, agent);
    const slow = fetch(`${url}/slow`).then((response) => response.text());
    await until(() => held !== undefined);
    front.use(version("new"));
    const after = await ask(url, agent);
    expect([before.text, after.text]).toEqual(["old", "new"]);
    expect(after.port).toBe(before.port);
    held?.end("old, to the end");
    expect(await slow).toBe("old, to the end");
    agent.destroy();
  }));

it("marks answers of a version that is not the newest, and shows browsers why", () =>
  whileFronting(async (front, url) => {
    front.use(version("good"));
    front.show(BROKEN);
    const program = await fetch(`${url}/api/x`, { headers: { Accept: "application/json" } });
    expect([program.status, program.headers.get("stoa-dev"), await program.text()]).toEqual([
      200,
      "stale",
      "good",
    ]);
    const script = await fetch(`${url}/x`, { headers: { ...HTML, "Sec-Fetch-Dest": "script" } });
    expect(await script.text()).toBe("good");
    const page = await fetch(`${url}/docs`, { headers: HTML });
    expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
    front.show(null);
    const mended = await fetch(`${url}/docs`, { headers: HTML });
    expect([mended.headers.get("stoa-dev"), await mended.text()]).toEqual([null, "good"]);
  }));

it("escapes all it shows on the page, and allows no script but its own", () =>
  whileFronting(async (front, url) => {
    front.show(BROKEN);
    const response = await fetch(url, { headers: HTML });
    const page = await response.text();
    expect(page).toContain(
      '<span class="error">error</span>: &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; <span class="error">more',
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(response.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*script-src 'sha256-/,
    );
  }));

it("says 503 in the words of the problem while there is no version at all", () =>
  whileFronting(async (front, url) => {
    front.show(BROKEN);
    const response = await fetch(`${url}/api/x`);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({
      status: 503,
      code: "unavailable",
      detail: "The sources have 1 error",
      requestId: response.headers.get("x-request-id"),
    });
  }));

it("tells open pages when there is something new to see", () =>
  whileFronting(async (front, url) => {
    front.show(BROKEN);
    const page = await (await fetch(url, { headers: HTML })).text();
    const shown = /data-serial="(\d+)"/.exec(page)?.[1];
    const events = await fetch(url + EVENTS_PATH);
    let text = "";
    const reading = (async () => {
      for await (const chunk of events.body ?? []) text += Buffer.from(chunk).toString();
    })();
    await until(() => text.includes(`data: ${shown}\n`));
    front.use(version("good"));
    await until(() => text.includes(`data: ${Number(shown) + 1}\n`));
    front.close();
    await reading;
  }));
