// What is checked is what is then changed: rows are locked before an action decides by them, and no more strongly than
// what is done to them, so that requests wait for one another instead of breaking each other.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  countStatuses,
  eventually,
  type Ground,
  oneValue,
  openGround,
  times,
} from "./write-ground.js";

const SOURCE = `
model Product {
  field sku { type string, unique }
  field stock { type integer }
  field price { type integer }
  field sold { type integer, default 0 }
  relation lines { from Line, through product }
}
model Line { reference product { to Product } field quantity { type integer } field unitPrice { type integer } }
model Account { field name { type string, unique } field balance { type integer } }
model Transfer {
  reference source { to Account }
  reference target { to Account }
  field amount { type integer }
}
api {
  entrypoint Line {
    create endpoint as added {
      action {
        create { reference product { through sku } set unitPrice product.price }
        validate with key "quantity" { added.quantity <= added.product.stock }
        update added.product { set stock stock - added.quantity }
      }
    }
    POST many "counted" {
      extra inputs { field what { type string } }
      action {
        query as item { from Product, filter { sku is what }, one }
        create Line as made { set product item set quantity 1 set unitPrice item.price }
        update item { set sold count(item.lines) }
      }
    }
  }
  entrypoint Product as goods {
    identify { through sku }
    get endpoint {}
    update endpoint {}
    POST one "recount" { action { update goods { set sold count(goods.lines) } } }
    entrypoint lines {
      create endpoint as added {
        action {
          create { input { quantity } set unitPrice goods.price }
          validate with key "quantity" { added.quantity <= goods.stock }
          update goods as after { set stock goods.stock - added.quantity }
        }
      }
      POST many "recount" {
        action {
          create Line as made { set product goods set quantity 1 set unitPrice 1 }
          update made.product { set sold count(made.product.lines) }
        }
      }
    }
  }
  entrypoint Transfer {
    create endpoint as made {
      action {
        create { reference source { through name } reference target { through name } }
        validate with key "amount" { made.source.balance >= made.amount }
        update made.source { set balance balance - made.amount }
        update made.target { set balance balance + made.amount }
      }
    }
  }
}
`;

let ground: Ground;

beforeAll(async () => {
  ground = await openGround({ source: SOURCE });
});
afterAll(() => ground.close());
beforeEach(async () => {
  ground.logged.length = 0;
  await ground.database.execute(
    `truncate product, line, account, transfer;
     insert into product (id, sku, stock, price) overriding system value values (1, 'kettle', 10, 30);
     insert into account (id, name, balance) overriding system value values (1, 'a', 100), (2, 'b', 100)`,
  );
});

const post = (path: string, body?: unknown) => ground.send("POST", path, { body });
const numberOf = (sql: string) => oneValue(ground.database, `select (${sql})::int`);

/** Ten are there, and each request wants one. */
async function expectTenSold(answers: readonly Answer[]): Promise<void> {
  expect(countStatuses(answers)).toEqual({ 201: 10, 400: answers.length - 10 });
  for (const answer of answers.filter(({ status }) => status === 400))
    expect(answer.json()).toMatchObject({ code: "validation", errors: [{ path: "/quantity" }] });
  expect(await numberOf("select stock from product")).toBe(0);
  expect(await numberOf("select count(*) from line")).toBe(10);
  expect(ground.logged).toEqual([]);
}

describe.each([20, 100])("%i at once take what is there, and nobody takes more", (count) => {
  test.each([1, 2, 3, 4, 5])("by a reference of the new record, round %i", async () => {
    await expectTenSold(await times(count, () => post("/api/line", { product_sku: "kettle", quantity: 1 })));
  });

  test("by a record of the path above", async () => {
    await expectTenSold(await times(count, () => post("/api/product/kettle/lines", { quantity: 1 })));
  });
});

describe("a count of what points at a record is one of all of them", () => {
  test.each(["/api/product/kettle/lines/recount", "/api/line/counted"])("%s", async (path) => {
    const body = path.endsWith("counted") ? { what: "kettle" } : undefined;
    const answers = await times(50, () => post(path, body));
    expect(countStatuses(answers)).toEqual({ 204: 50 });
    expect([await numberOf("select count(*) from line"), await numberOf("select sold from product")]).toEqual(
      [50, 50],
    );
  });

  test.each([
    ["/api/product/kettle/lines/recount", 2],
    ["/api/product/kettle/recount", 1],
  ])("also of those that came while it waited for the record: %s", async (path, count) => {
    let answer: Promise<Answer> | undefined;
    await ground.database.transaction(async (transaction) => {
      await transaction.execute(`insert into line (product_id, quantity, unit_price) values (1, 1, 1);
        update product set sold = 1`);
      answer = post(path);
      const waiting = "exists (select 1 from pg_locks where not granted)";
      await eventually(async () => (await oneValue(ground.database, `select ${waiting}`)) === true);
    });
    expect((await answer)?.status).toBe(204);
    expect(await numberOf("select sold from product")).toBe(count);
  });
});

describe("two rows, in opposite orders", () => {
  test("that are checked first are locked in one order", async () => {
    const answers = await times(60, (index) =>
      post("/api/transfer", {
        source_name: index % 2 === 0 ? "a" : "b",
        target_name: index % 2 === 0 ? "b" : "a",
        amount: 1,
      }),
    );
    expect(countStatuses(answers)).toEqual({ 201: 60 });
    expect(await numberOf("select sum(balance) from account")).toBe(200);
    expect(await numberOf("select balance from account where name = 'a'")).toBe(100);
    const deadlocks = `select deadlocks from pg_stat_database where datname = current_database()`;
    expect(await numberOf(deadlocks)).toBe(0);
  });

  test("nobody gets into debt", async () => {
    const answers = await times(60, () =>
      post("/api/transfer", { source_name: "a", target_name: "b", amount: 10 }),
    );
    expect(countStatuses(answers)).toEqual({ 201: 10, 400: 50 });
    expect(await numberOf("select balance from account where name = 'a'")).toBe(0);
  });
});

test("a change of a record does not wait for those who are about to point at it", async () => {
  await ground.database.transaction(async (transaction) => {
    await transaction.execute("insert into line (product_id, quantity, unit_price) values (1, 1, 1)");
    const answer = await ground.send("PATCH", "/api/product/kettle", { body: { stock: 7 } });
    expect([answer.status, answer.json().stock]).toEqual([200, 7]);
  });
});
