// What the guides say about many requests at once, and cannot show by one request after the other.

import { afterAll, expect, test } from "vitest";
import { blocksOf, readPage } from "./walk/markdown.js";
import { Project } from "./walk/project.js";
import { FILE } from "./walk/walk.js";

const project = new Project();
afterAll(() => project.close());

async function post(path: string, body: object = {}): Promise<number> {
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    ...{ method: "POST", headers, body: JSON.stringify(body) },
  });
  return (await project.fetch(request)).status;
}

async function stock(): Promise<number> {
  const response = await project.fetch(new Request("http://127.0.0.1:3000/api/product/kettle"));
  const { stock }: { stock: number } = JSON.parse(await response.text());
  return stock;
}

test("actions.md: what is changed first and looked at then is never sold twice, and nothing is lost", async () => {
  for (const { info, text } of blocksOf(readPage("docs/guides/actions.md"))) {
    const [, file, isNew] = FILE.exec(info) ?? [];
    if (file !== undefined) await project.put(file, text, isNew !== undefined);
  }
  await post("/api/product", { name: "Kettle", sku: "kettle", price: "30.00", stock: 5 });
  await post("/api/order", { address: "ada@example.org" });

  const line = { article: "kettle", pieces: 1 };
  const statuses = await Promise.all(Array.from({ length: 20 }, () => post("/api/order/1/lines", line)));
  expect(statuses.filter((status) => status === 201).length).toBe(5);
  expect(statuses.filter((status) => status === 400).length).toBe(15);
  expect(await stock()).toBe(0);

  await Promise.all(Array.from({ length: 20 }, () => post("/api/product/kettle/restock", { pieces: 3 })));
  expect(await stock()).toBe(60);
});
