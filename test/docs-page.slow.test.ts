// The page with the documentation of a running application, in a real browser that reaches nothing else.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Opened, openPage } from "./browser.js";
import { type RunningExample, runExample } from "./examples/example.js";

const SCREENSHOTS = process.env.STOA_SCREENSHOTS;

let shop: RunningExample;
beforeAll(async () => {
  shop = await runExample("shop");
});
afterAll(() => shop.close());

async function shot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/docs-${name}.png` });
}

function operation(page: Page, method: string, path: string): Locator {
  return page.locator(".opblock", {
    has: page.locator(`.opblock-summary-path[data-path="${path}"]`),
    hasText: method,
  });
}

/** Opens an operation, tries it out, and gives what the server has answered. */
async function tryOut(block: Locator, values: Readonly<Record<string, string>> = {}): Promise<string> {
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
  for (const [name, value] of Object.entries(values))
    await block.locator(`[placeholder="${name}"]`).fill(value);
  await block.getByRole("button", { name: "Execute" }).click();
  const answer = block.locator(".live-responses-table .response");
  await answer.waitFor();
  return readAnswer(answer);
}

async function readAnswer(answer: Locator): Promise<string> {
  const status = await answer.locator(".response-col_status").textContent();
  return `${status?.trim()} ${await answer.locator("pre.microlight").first().textContent()}`;
}

function expectAlone({ complaints, elsewhere }: Opened): void {
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
}

test.for(["/docs", "/docs/", "/reference"])(
  "%s shows all operations, without anything from elsewhere",
  async (path, ctx) => {
    const opened = await openPage(ctx, { height: 1200 });
    const { page } = opened;
    await page.goto(shop.url + path);
    await page.locator(".opblock").first().waitFor();
    const { body: document } = await shop.ask("GET /openapi.json");
    const operations = Object.entries<object>(document.paths).flatMap(([at, item]) =>
      Object.keys(item)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${at}`),
    );
    const shown = await page.locator(".opblock").evaluateAll((blocks) =>
      blocks.map((block) => {
        const method = block.querySelector(".opblock-summary-method")?.textContent;
        return `${method} ${block.querySelector(".opblock-summary-path")?.getAttribute("data-path")}`;
      }),
    );
    expect(shown.sort()).toEqual(operations.sort());
    expect(shown).toContain("POST /api/cart/checkout");
    // The doc comments of the program.
    await page.getByText("One product, without a cart").first().waitFor();
    await shot(page, path === "/docs" ? "page" : "other");
    expectAlone(opened);
  },
);

test("a request is tried, and its answer shown", async (ctx) => {
  const opened = await openPage(ctx, { height: 1400 });
  const { page } = opened;
  await page.goto(`${shop.url}/docs`);
  const answer = await tryOut(operation(page, "GET", "/api/product/{product_sku}"), {
    product_sku: "POT-01",
  });
  expect(answer).toMatch(/^200/);
  expect(answer).toContain('"name": "Tea pot"');
  await shot(page, "tried");
  expectAlone(opened);
});

test("a body is sent, and what is wrong with it is shown", async (ctx) => {
  const opened = await openPage(ctx, { height: 1400, expected: /status of 400/ });
  const { page } = opened;
  await page.goto(`${shop.url}/docs`);
  const block = operation(page, "POST", "/api/sign-up");
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
  await block.locator("textarea").fill('{"name":"C","email":"cleo","password":"short"}');
  await block.getByRole("button", { name: "Execute" }).click();
  const answer = block.locator(".live-responses-table .response");
  await answer.waitFor();
  const shown = await readAnswer(answer);
  expect(shown).toMatch(/^400/);
  expect(shown).toContain('"code": "min-length"');
  expectAlone(opened);
});

test("a token that was logged in with is sent", async (ctx) => {
  const opened = await openPage(ctx, { height: 1400 });
  const { page } = opened;
  const token = await shop.logIn("ann@example.org", "correct horse");
  await page.goto(`${shop.url}/docs`);
  await page
    .locator(".scheme-container, .auth-wrapper")
    .getByRole("button", { name: "Authorize" })
    .first()
    .click();
  await page.locator(".auth-container input").fill(token);
  await page.locator(".auth-container").getByRole("button", { name: "Apply credentials" }).click();
  await page.locator(".auth-container").getByRole("button", { name: "Close" }).click();
  const answer = await tryOut(operation(page, "GET", "/api/auth/me"));
  expect(answer).toMatch(/^200/);
  expect(answer).toContain('"email": "ann@example.org"');
  await shot(page, "authorized");
  expectAlone(opened);
});

test("works where the application is mounted below a path", async (ctx) => {
  const app = express();
  app.use("/shops/first", shop.application.listener);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ctx.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  for (const path of ["/docs", "/reference/"]) {
    const opened = await openPage(ctx, { height: 1400 });
    const { page } = opened;
    await page.goto(`http://127.0.0.1:${port}/shops/first${path}`);
    const answer = await tryOut(operation(page, "GET", "/api/product/{product_sku}"), {
      product_sku: "TEA-10",
    });
    expect(answer).toMatch(/^200/);
    expect(answer).toContain('"name": "Green tea, 100 g"');
    expect(await page.locator(".request-url pre").textContent()).toContain("/shops/first/api/product/TEA-10");
    expectAlone(opened);
  }
});

test("fits a telephone", async (ctx) => {
  const opened = await openPage(ctx, { width: 390, height: 844 });
  await opened.page.goto(`${shop.url}/docs`);
  await opened.page.locator(".opblock").first().waitFor();
  await shot(opened.page, "telephone");
  expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
});
