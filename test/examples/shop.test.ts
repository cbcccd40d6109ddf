// The shop sells what it has and nothing else, whoever comes at the same time.

import { beforeAll, describe, expect, test } from "vitest";
import { type Asked, type RunningExample, runExample } from "./example.js";

let shop: RunningExample;
let ann: string;
let bob: string;
let sam: string;
beforeAll(async () => {
  shop = await runExample("shop");
  ann = await shop.logIn("ann@example.org", "correct horse");
  bob = await shop.logIn("bob@example.org", "battery staple");
  sam = await shop.logIn("sam@example.org", "behind the counter");
});

async function put(sku: string, stock: number): Promise<void> {
  await shop.database.query("update product set stock = $1 where sku = $2", [stock, sku]);
}
const stockOf = async (sku: string): Promise<number> =>
  (await shop.ask(`GET /api/product/${sku}`)).body.stock;
const statuses = (answers: readonly Asked[]) => answers.map(({ status }) => status).sort();
const fill = (token: string, product_sku: string, quantity: number) =>
  shop.ask("POST /api/cart", { token, body: { product_sku, quantity } });
const checkout = (token: string, key?: string) =>
  shop.ask("POST /api/cart/checkout", { token, ...(key ? { headers: { "Idempotency-Key": key } } : {}) });

describe("when many buy at once", () => {
  test("as many are sold as there are, one by one", async () => {
    await put("POT-01", 7);
    const buys = Array.from({ length: 20 }, (_, index) =>
      shop.ask("POST /api/product/POT-01/buy", { token: index % 2 ? ann : bob, body: {} }),
    );
    const answers = await Promise.all(buys);
    expect(statuses(answers)).toEqual([...Array(7).fill(201), ...Array(13).fill(400)]);
    expect(await stockOf("POT-01")).toBe(0);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => body.errors[0].code)).toEqual(Array(13).fill("out-of-stock"));
  });

  test("orders are numbered without a gap", async () => {
    const rows = await shop.database.query('select number from "order" order by number');
    const numbers = rows.map(({ number }) => Number(String(number).slice(5)));
    expect(numbers.length).toBeGreaterThanOrEqual(7);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test("of two carts that want the same, one gets all of it and the other nothing", async () => {
    await put("POT-01", 3);
    await put("TEA-10", 50);
    await Promise.all([fill(ann, "POT-01", 2), fill(ann, "TEA-10", 5)]);
    await Promise.all([fill(bob, "TEA-10", 5), fill(bob, "POT-01", 2)]);
    const answers = await Promise.all([checkout(ann), checkout(bob)]);
    expect(statuses(answers)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "out-of-stock",
      detail: "There are not enough of POT-01",
    });
    expect([await stockOf("POT-01"), await stockOf("TEA-10")]).toEqual([1, 45]);
    // Whoever came too late still has their cart.
    const loser = answers[0]?.status === 409 ? ann : bob;
    expect((await shop.ask("GET /api/cart", { token: loser })).body).toHaveLength(2);
    for (const { id } of (await shop.ask("GET /api/cart", { token: loser })).body)
      expect((await shop.ask(`DELETE /api/cart/${id}`, { token: loser })).status).toBe(204);
  });

  test("a cart is ordered once, however often the button is pressed", async () => {
    await put("TEA-10", 100);
    await fill(ann, "TEA-10", 10);
    const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(ann)));
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect(await stockOf("TEA-10")).toBe(90);
  });

  test("with a key, all presses get the answer of the first", async () => {
    await fill(ann, "TEA-10", 1);
    const answers = await Promise.all(Array.from({ length: 3 }, () => checkout(ann, "order-of-ann-1")));
    expect(statuses(answers)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.number)).size).toBe(1);
    expect(await stockOf("TEA-10")).toBe(89);
  });

  test("an order is cancelled once, and only then is the stock back", async () => {
    await put("TEA-10", 10);
    const { body: order } = await shop.ask("POST /api/product/TEA-10/buy", {
      token: ann,
      body: { pieces: 4 },
    });
    expect(await stockOf("TEA-10")).toBe(6);
    const cancels = Array.from({ length: 4 }, () =>
      shop.ask(`POST /api/order/${order.number}/cancel`, { token: ann }),
    );
    expect(statuses(await Promise.all(cancels))).toEqual([200, 403, 403, 403]);
    expect(await stockOf("TEA-10")).toBe(10);
  });

  test("the stock is never below zero, whatever is bought, cancelled and restocked", async () => {
    await put("CUP-04", 5);
    const work = Array.from({ length: 24 }, async (_, index) => {
      const token = index % 2 ? ann : bob;
      if (index % 6 === 5) {
        return shop.ask("POST /api/staff/product/CUP-04/restock", { token: sam, body: { pieces: 1 } });
      }
      const bought = await shop.ask("POST /api/product/CUP-04/buy", {
        token,
        body: { pieces: 1 + (index % 3) },
      });
      if (bought.status === 201 && index % 4 === 0)
        await shop.ask(`POST /api/order/${bought.body.number}/cancel`, { token });
      return bought;
    });
    const answers = await Promise.all(work);
    expect(answers.filter(({ status }) => ![200, 201, 400].includes(status))).toEqual([]);
    const [row] = await shop.database.query(
      `select p.stock::int as stock, coalesce(sum(l.quantity) filter (where o.status <> 'cancelled'), 0)::int as sold
       from product p left join order_line l on l.product_id = p.id left join "order" o on o.id = l.order_id
       where p.sku = 'CUP-04' group by p.id`,
    );
    expect(row?.stock).toBeGreaterThanOrEqual(0);
    expect(Number(row?.stock) + Number(row?.sold)).toBe(5 + 4);
    expect(shop.failures).toEqual([]);
  });
});

describe("an order on its way", () => {
  test("is paid by its customer, shipped by staff, and cannot be cancelled then", async () => {
    await put("TEA-10", 10);
    const { body } = await shop.ask("POST /api/product/TEA-10/buy", { token: ann, body: { pieces: 2 } });
    const at = `/api/order/${body.number}`;
    const steps: [string, string | undefined, number][] = [
      [`GET ${at}`, undefined, 404],
      [`GET ${at}`, bob, 404],
      [`POST ${at}/pay`, bob, 404],
      [`POST ${at}/pay`, sam, 403],
      [`POST /api/staff/order/${body.number}/ship`, sam, 403],
      [`POST ${at}/pay`, ann, 200],
      [`POST ${at}/pay`, ann, 403],
      [`POST /api/staff/order/${body.number}/ship`, ann, 403],
      [`POST /api/staff/order/${body.number}/ship`, sam, 200],
      [`POST ${at}/cancel`, ann, 403],
      [`GET ${at}`, sam, 200],
    ];
    for (const [request, token, status] of steps) {
      const answer = await shop.ask(request, { token });
      expect(answer.status, `${request}: ${JSON.stringify(answer.body)}`).toBe(status);
    }
    expect((await shop.ask(`GET ${at}`, { token: ann })).body).toMatchObject({
      status: "shipped",
      total: "13.00",
      lines: [{ product: { sku: "TEA-10" }, quantity: 2, unitPrice: "6.50", amount: "13.00" }],
    });
  });

  test("keeps the price of its day", async () => {
    const { body } = await shop.ask("POST /api/product/TEA-10/buy", { token: ann, body: {} });
    await shop.ask("PATCH /api/staff/product/TEA-10", { token: sam, body: { price: "8.00" } });
    expect((await shop.ask(`GET /api/order/${body.number}`, { token: ann })).body.total).toBe("6.50");
    await shop.ask("PATCH /api/staff/product/TEA-10", { token: sam, body: { price: "6.50" } });
  });
});

describe("prices", () => {
  test.each([
    [1, { goods: "6.50", discount: "0.00", shipping: "4.90", total: "11.40" }],
    [8, { goods: "52.00", discount: "0.00", shipping: "0.00", total: "52.00" }],
    [10, { goods: "65.00", discount: "6.50", shipping: "0.00", total: "58.50" }],
  ])("of %i packets of tea", async (quantity, expected) => {
    const { body: line } = await fill(bob, "TEA-10", quantity);
    expect((await shop.ask("GET /api/cart/quote", { token: bob })).body).toEqual(expected);
    await shop.ask(`DELETE /api/cart/${line.id}`, { token: bob });
  });
});

test("a cart is its customer's alone", async () => {
  const { body: line } = await fill(ann, "POT-01", 1);
  expect((await shop.ask("GET /api/cart", { token: bob })).body).toEqual([]);
  expect((await shop.ask(`PATCH /api/cart/${line.id}`, { token: bob, body: { quantity: 2 } })).status).toBe(
    404,
  );
  expect((await shop.ask(`DELETE /api/cart/${line.id}`, { token: bob })).status).toBe(404);
  expect(await fill(ann, "POT-01", 1)).toMatchObject({ status: 409 });
  expect(await fill(ann, "NONE-11", 1)).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/product_sku", code: "not-found" }] },
  });
});

test("bar codes are checked by code", async () => {
  const product = { sku: "NEW-01", name: "New", price: "1.00" };
  const make = (ean: string) =>
    shop.ask("POST /api/staff/product", { token: sam, body: { ...product, ean } });
  expect((await make("4006381333932")).body.errors).toMatchObject([{ path: "/ean", code: "check-digit" }]);
  expect((await make("123")).body.errors).toMatchObject([{ path: "/ean", code: "pattern" }]);
  expect((await make("5901234123457")).status).toBe(201);
});

test("the large populator makes what it says", async () => {
  const large = await runExample("shop", "Large");
  const token = await large.logIn("customer1@example.org", "correct horse");
  const { body } = await large.ask("GET /api/staff/order?pageSize=100", { token });
  expect(body.totalCount).toBe(1000);
  expect((await large.ask("GET /api/staff/product", { token })).body.totalCount).toBe(200);
  await large.close();
});
