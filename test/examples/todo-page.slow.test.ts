// The todo list's page in a real browser, served by the example's own server.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { populate } from "@stoa/database";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BIN, stoa } from "../../packages/cli/test/run.js";
import { until } from "../../packages/cli/test/serve.js";
import { type TestDatabase, testDatabase } from "../../packages/database/test/server.js";
import { example } from "../../packages/generators/test/programs.js";
import { openPage } from "../browser.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCREENSHOTS = process.env.STOA_SCREENSHOTS;
/** What a browser says of every request that is refused. */
const REFUSED = /Failed to load resource: the server responded with a status of 4/;

let site: { readonly url: string; readonly end: () => Promise<void> };
let store: TestDatabase;

beforeAll(async () => {
  const built = await stoa(["build", "examples/todo"], { cwd: ROOT });
  if (built.code !== 0) throw new Error(`${BIN} build: ${built.stderr}`);
  store = await testDatabase();
  const pushed = await stoa(["db", "push", "examples/todo"], { cwd: ROOT, env: { DATABASE_URL: store.url } });
  if (pushed.code !== 0) throw new Error(pushed.stderr);
  site = await startSite(store.url);
});
afterAll(() => site.end());
beforeEach(async () => {
  await populate(store.database, example("todo"), "Dev", { empty: true });
});

async function startSite(databaseUrl: string) {
  const child = spawn(process.execPath, ["examples/todo/server.mjs"], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: "0" },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.resume();
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await Promise.race([until(() => /http:\/\/\S+/.test(said)), ended]);
  const url = /http:\/\/\S+/.exec(said)?.[0];
  if (url === undefined) throw new Error(`The server has not started: ${said}`);
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, end };
}

async function logIn(page: Page, email = "ann@example.org", password = "correct horse"): Promise<void> {
  await page.goto(site.url);
  await page.locator("#login").getByLabel("E-mail").fill(email);
  await page.locator("#login").getByLabel("Password").fill(password);
  await page.locator("#login").getByRole("button", { name: "Log in", exact: true }).click();
  await page.locator("#list").waitFor();
}

const titles = (page: Page) => page.locator("#todos .title").allTextContents();
const box = (page: Page, name: string) => page.getByRole("checkbox", { name });
const seeTitles = (page: Page, expected: readonly string[]) =>
  expect.poll(() => titles(page), { timeout: 30_000 }).toEqual(expected);

async function shot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/todo-${name}.png` });
}

describe("the entrance", () => {
  test("opens an account and is in it", async (ctx) => {
    const { page, complaints, elsewhere } = await openPage(ctx);
    await page.goto(site.url);
    await shot(page, "login");
    await page.getByRole("button", { name: "Open an account" }).click();
    const form = page.locator("#signup");
    await form.getByLabel("Name").fill("Cleo Park");
    await form.getByLabel("E-mail").fill("cleo@example.org");
    await form.getByLabel("Password").fill("a long password");
    await form.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Nothing to do. Well done.").waitFor();
    expect(await page.locator("#who").textContent()).toBe("Cleo Park");
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test("says beside each field what is wrong with it", async (ctx) => {
    const { page, complaints } = await openPage(ctx, { expected: REFUSED });
    await page.goto(site.url);
    await page.getByRole("button", { name: "Open an account" }).click();
    const form = page.locator("#signup");
    await form.getByLabel("Name").fill("C");
    await form.getByLabel("E-mail").fill("cleo");
    await form.getByLabel("Password").fill("short");
    await form.getByRole("button", { name: "Sign up" }).click();
    await form.locator(".error").first().waitFor();
    expect(await form.locator(".error").allTextContents()).toEqual([
      "must have at least 2 characters",
      "must be an e-mail address",
      "must have at least 10 characters",
    ]);
    expect(await form.getByLabel("Name").evaluate((input) => input.matches(":focus"))).toBe(true);
    await shot(page, "signup-errors");
    await form.getByLabel("Name").fill("Cleo");
    await form.getByLabel("E-mail").fill("ann@example.org");
    await form.getByLabel("Password").fill("long enough now");
    await form.getByRole("button", { name: "Sign up" }).click();
    await form.getByText("has an account already").waitFor();
    expect(await form.locator(".error").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("lets nobody in with a wrong password", async (ctx) => {
    const { page } = await openPage(ctx, { expected: REFUSED });
    await page.goto(site.url);
    await page.locator("#login").getByLabel("E-mail").fill("ann@example.org");
    await page.locator("#login").getByLabel("Password").fill("incorrect horse");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("E-mail or password is wrong.").waitFor();
    expect(await page.locator("#list").isVisible()).toBe(false);
  });
});

describe("the list", () => {
  test("adds, ticks, edits and deletes, and a reload shows the same", async (ctx) => {
    const { page, complaints, elsewhere } = await openPage(ctx);
    await logIn(page);
    await seeTitles(page, ["Buy oat milk", "Call the dentist", "Read the manual"]);
    await shot(page, "list");
    await page.getByLabel("What is to be done?").fill("  Water the plants ");
    await page.getByLabel("Due on").fill("2099-05-01");
    await page.getByRole("button", { name: "Add" }).click();
    await seeTitles(page, ["Buy oat milk", "Water the plants", "Call the dentist", "Read the manual"]);
    expect(await page.locator("time").allTextContents()).toEqual(["2 Jan 2026, overdue", "1 May 2099"]);
    await box(page, "Buy oat milk").click();
    await seeTitles(page, ["Water the plants", "Call the dentist", "Buy oat milk", "Read the manual"]);
    await page.getByText("Call the dentist").dblclick();
    await page.getByLabel("Title").fill("Call the doctor");
    await page.getByRole("button", { name: "Save" }).click();
    await seeTitles(page, ["Water the plants", "Call the doctor", "Buy oat milk", "Read the manual"]);
    await page.getByText("Water the plants").hover();
    await page.locator("li", { hasText: "Water the plants" }).getByRole("button", { name: "Delete" }).click();
    await seeTitles(page, ["Call the doctor", "Buy oat milk", "Read the manual"]);
    await page.reload();
    await seeTitles(page, ["Call the doctor", "Buy oat milk", "Read the manual"]);
    expect(await page.locator("#count").textContent()).toBe("1 of 3 to do");
    await page.getByRole("button", { name: "Clear what is done" }).click();
    await seeTitles(page, ["Call the doctor"]);
    expect(await store.database.query("select title from todo where owner_id = 1")).toEqual([
      { title: "Call the doctor" },
    ]);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test("says what the server does not take, where it is written", async (ctx) => {
    const { page } = await openPage(ctx, { expected: REFUSED });
    await logIn(page);
    await page.getByRole("button", { name: "Add" }).click();
    await page.locator("#add").getByText("must not be empty").waitFor();
    await page.getByLabel("What is to be done?").fill("x".repeat(121));
    expect(await page.locator("#add .error").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.locator("#add").getByText("must have at most 120 characters").waitFor();
    await page.getByText("Call the dentist").dblclick();
    await page.getByLabel("Title").fill("");
    await page.keyboard.press("Enter");
    await page.locator(".editing").getByText("must not be empty").waitFor();
    await page.keyboard.press("Escape");
    await seeTitles(page, ["Buy oat milk", "Call the dentist", "Read the manual"]);
  });

  test("can be used by the keyboard alone", async (ctx) => {
    const { page, complaints } = await openPage(ctx);
    await page.goto(site.url);
    await page.locator("#login").getByLabel("E-mail").waitFor();
    await page.keyboard.type("ann@example.org");
    await page.keyboard.press("Tab");
    await page.keyboard.type("correct horse");
    await page.keyboard.press("Enter");
    await page.locator("#list").waitFor();
    await page.keyboard.type("Feed the cat");
    await page.keyboard.press("Enter");
    await seeTitles(page, ["Buy oat milk", "Call the dentist", "Feed the cat", "Read the manual"]);
    await box(page, "Buy oat milk").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await seeTitles(page, ["Buy oat milk", "Feed the cat", "Read the manual", "Call the dentist"]);
    // What was ticked has moved and keeps the focus.
    await expect
      .poll(() => box(page, "Call the dentist").evaluate((each) => each.matches(":focus")))
      .toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Delete");
    await seeTitles(page, ["Buy oat milk", "Feed the cat", "Call the dentist"]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("Thank the dentist");
    await page.keyboard.press("Enter");
    await seeTitles(page, ["Buy oat milk", "Feed the cat", "Thank the dentist"]);
    expect(complaints).toEqual([]);
  });

  test("is its owner's alone, and gone after the logout", async (ctx) => {
    const ann = await openPage(ctx, { expected: REFUSED });
    const bob = await openPage(ctx);
    await logIn(ann.page);
    await logIn(bob.page, "bob@example.org", "battery staple");
    await seeTitles(bob.page, ["Surprise party for Ann"]);
    await seeTitles(ann.page, ["Buy oat milk", "Call the dentist", "Read the manual"]);
    const token = await ann.page.evaluate<string>('localStorage.getItem("todo.token")');
    const peek = await fetch(`${site.url}/api/user/2/todos`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(peek.status).toBe(404);
    await ann.page.getByRole("button", { name: "Log out" }).click();
    await ann.page.locator("#login").waitFor();
    await ann.page.reload();
    await ann.page.locator("#login").waitFor();
    expect(await ann.page.locator("#list").isVisible()).toBe(false);
    const late = await fetch(`${site.url}/api/user/1/todos`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(late.status).toBe(401);
  });

  test("a session that has ended elsewhere leads back to the entrance", async (ctx) => {
    const { page } = await openPage(ctx, { expected: REFUSED });
    await logIn(page);
    const token = await page.evaluate<string>('localStorage.getItem("todo.token")');
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${site.url}/api/auth/logout`, { method: "POST", headers })).status).toBe(204);
    await box(page, "Call the dentist").click();
    await page.getByRole("alert").getByText("Your session is over. Log in again.").waitFor();
    await page.locator("#login").waitFor();
  });

  test("shows titles as they are, never as markup", async (ctx) => {
    const { page, complaints } = await openPage(ctx);
    await logIn(page);
    const title = `<img src=x onerror="document.title='owned'"> & "quotes"`;
    await page.getByLabel("What is to be done?").fill(title);
    await page.keyboard.press("Enter");
    await seeTitles(page, ["Buy oat milk", "Call the dentist", title, "Read the manual"]);
    expect(await page.title()).toBe("Todo");
    expect(complaints).toEqual([]);
  });

  test("fits a telephone, in the dark", async (ctx) => {
    const { page } = await openPage(ctx, { width: 360, height: 740, colorScheme: "dark" });
    await logIn(page);
    await seeTitles(page, ["Buy oat milk", "Call the dentist", "Read the manual"]);
    await shot(page, "telephone");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});

test("the server gives away nothing but the page", async () => {
  for (const path of [
    "/../server.mjs",
    "/..%2fapi.stoa",
    "/%2e%2e/server.mjs",
    "//",
    "/none.js",
    "/api.stoa",
  ])
    expect((await fetch(site.url + path)).status, path).toBe(404);
  expect((await fetch(`${site.url}/api/nothing`)).headers.get("content-type")).toContain("problem+json");
});
