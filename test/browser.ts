// Pages in a real browser. Each gets a context of its own, in which nothing but this machine can be reached, and of
// which everything that went wrong is kept.

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, type TestContext } from "vitest";
import { findBrowser, howToGetOne } from "../tools/browser.mjs";

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page, or a script of it, has complained about. */
  readonly complaints: readonly string[];
  /** Addresses elsewhere that were asked for, in vain. */
  readonly elsewhere: readonly string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Complaints that belong to the test: a request that is refused is one for the browser. */
  readonly expected?: RegExp;
}

let launched: Promise<Browser> | undefined;

/** A page, in a test. Without a browser the test fails where there must be one (CI), and is left out elsewhere. */
export async function openPage(test: TestContext, options: OpenOptions = {}): Promise<Opened> {
  const { width = 1000, height = 800, colorScheme = "light", expected } = options;
  launched ??= launch(browserFor(test));
  const browser = await launched;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: "en-GB" });
  // A busy machine is no failure; what never comes is ended by the timeout of the test.
  context.setDefaultTimeout(0);
  test.onTestFinished(() => context.close());
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  await context.route(
    (url) => !isOfThisMachine(url),
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  const page = await context.newPage();
  const complain = (text: string): void => {
    if (expected?.test(text) !== true) complaints.push(text);
  };
  page.on("pageerror", (error) => complain(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complain(message.text());
  });
  return { page, context, complaints, elsewhere };
}

function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "data:" || protocol === "blob:" || hostname === "127.0.0.1" || hostname === "localhost";
}

function browserFor(test: TestContext): string {
  const path = findBrowser();
  if (path !== undefined) return path;
  if (process.env.CI) throw new Error(howToGetOne());
  console.warn(`\n${"!".repeat(80)}\n${howToGetOne()}\n${"!".repeat(80)}\n`);
  return test.skip(howToGetOne());
}

function launch(executablePath: string): Promise<Browser> {
  // The sandbox of the browser does not work for root, who is who tests are in containers.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

afterAll(async () => {
  const started = launched;
  launched = undefined;
  await (await started?.catch(() => undefined))?.close();
});
