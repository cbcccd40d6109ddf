// The types of the examples' clients: right calls compile, wrong ones do not, and the todo list's page fits its own.

import { readdirSync, readFileSync } from "node:fs";
import { writeClient } from "@stoa/generators";
import { expect, test } from "vitest";
import { example } from "../../packages/generators/test/programs.js";
import { checkTypes } from "../../packages/generators/test/tsc.js";

const CALLS = {
  blog: `
    const { user, token } = await client.auth.login({ email: "a", password: "b" });
    const post = await client.post.create({ title: "T", text: "x" });
    const status: "draft" | "published" = post.status;
    for await (const { text, author } of client.post(post.slug).comments.list()) text.concat(author.handle);
    const { publishedAt } = await client.post("x").publish();
    const when: string | null = publishedAt;
    const nothing: void = await client.post("x").withdraw();
    await client.post("x").tagging.create({ tag_name: "travel" });
    await client.Desk.user("ann").update({ isEditor: true });
    console.log(user.handle, token, status, when, nothing);
    const { problem } = await client.user.create({ handle: "h", name: "n", email: "e", password: "p" }).result();
    if (problem?.code === "validation") console.log(problem.errors.some(({ path, code }) => path === "/handle" && code === "pattern"));
    // @ts-expect-error secrets are in no answer
    user.password;
    // @ts-expect-error the slug is made by the server
    client.post.create({ title: "T", text: "x", slug: "s" });
    // @ts-expect-error nobody makes themselves an editor
    client.user.create({ handle: "h", name: "n", email: "e", password: "p", isEditor: true });
    // @ts-expect-error a post is found by its slug
    client.post(5);
    // @ts-expect-error a tag is found by its name
    client.post("x").tagging.create({ tag_id: 1 });
    // @ts-expect-error tags are not changed
    client.tag("x").update({ name: "y" });
    // @ts-expect-error only editors' api has this
    client.user("ann").update({ isEditor: true });
    // @ts-expect-error the list has no text
    (await client.post.list()).data[0]?.text;`,
  todo: `
    const me = await client.signUp.create({ name: "N", email: "e", password: "p" });
    const todo = await client.user(me.id).todos.create({ title: "T", dueOn: null });
    const dueOn: string | null = todo.dueOn;
    await client.user(me.id).todos(todo.id).update({ isDone: true });
    const { cleared } = await client.user(me.id).todos.clearDone();
    console.log(dueOn, cleared.toFixed());
    // @ts-expect-error a title is needed
    client.user(1).todos.create({});
    // @ts-expect-error the owner is that of the path
    client.user(1).todos.create({ title: "T", owner_id: 2 });
    // @ts-expect-error worked out by the server
    client.user(1).todos.create({ title: "T", isOverdue: true });
    // @ts-expect-error users are not listed
    client.user.list();
    // @ts-expect-error this list has no pages
    client.user(1).todos.list({ page: 1 });
    // @ts-expect-error may be null
    todo.dueOn.length;
    // @ts-expect-error a number
    client.user("1");`,
  shop: `
    const line = await client.cart.create({ product_sku: "TEA-10", quantity: 2 });
    const amount: string = line.amount;
    const { total } = await client.cart.checkout({ retries: 3, idempotencyKey: "k" });
    const bought: string = (await client.product("TEA-10").buy()).number;
    const status: "placed" | "paid" | "shipped" | "cancelled" = (await client.order("n").get()).status;
    const { orders, turnover } = await client.Staff.order.sales();
    console.log(amount, total, bought, status, orders.toFixed(), turnover);
    const { problem } = await client.cart.checkout().result();
    if (problem !== null && problem.code === "out-of-stock") console.log(problem.detail);
    const buy = await client.product("TEA-10").buy({ pieces: 2 }).result();
    if (buy.problem?.code === "validation") console.log(buy.problem.errors?.some(({ path }) => path === "/pieces"));
    // @ts-expect-error found by its sku
    client.cart.create({ product_id: 1 });
    // @ts-expect-error the price is not the customer's to say
    client.cart.create({ product_sku: "TEA-10", price: "1.00" });
    // @ts-expect-error whole pieces
    client.product("TEA-10").buy({ pieces: "2" });
    // @ts-expect-error customers do not make products
    client.product.create({ sku: "X", name: "N", price: "1" });
    // @ts-expect-error the stock changes by what is sold and restocked
    client.Staff.product("TEA-10").update({ stock: 5 });
    // @ts-expect-error a restock needs a number
    client.Staff.product("TEA-10").restock();
    // @ts-expect-error orders are placed by a checkout
    client.order.create({});
    // @ts-expect-error checkout takes nothing but options
    client.cart.checkout({ total: "1.00" });`,
} as const;

test.each(Object.entries(CALLS))(
  "calls of the client of %s are held to its types, in both targets",
  (name, calls) => {
    const files = (["ts", "js"] as const).flatMap((target) => {
      const written = writeClient(example(name), { target }).filter((file) => file.name.endsWith(".ts"));
      const code = `import { createClient } from "./client.js";\nconst client = createClient();\nexport async function calls(): Promise<void> {${calls}\n}\n`;
      return [...written.map((file) => [`${target}/${file.name}`, file.text]), [`${target}/calls.ts`, code]];
    });
    expect(checkTypes(Object.fromEntries(files)).output).toBe("");
  },
);

test("the page of the todo list fits the client that is made for it", () => {
  const folder = new URL("../../examples/todo/web/", import.meta.url);
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
  const client = writeClient(example("todo"), { target: "js" }).map(({ name, text }) => [
    `client/${name}`,
    text,
  ]);
  const entry = [["page.ts", 'import "./app.js";\n']];
  const options = { allowJs: true, checkJs: true };
  expect(scripts.length).toBeGreaterThan(3);
  expect(checkTypes(Object.fromEntries([...scripts, ...client, ...entry]), options).output).toBe("");
});
