// What happens to the stock and to the numbers of orders. All of it runs in the transaction of the request: if
// anything fails later on, nothing of it has happened.

import { HttpError } from "stoa";
import type { ActionContext, CartPOSTManyCheckoutExecuteSale, ExecuteContext } from "../.stoa/build/hooks.js";

interface SoldLine {
  readonly product: number;
  readonly quantity: number;
  readonly price: string;
}

/**
 * Empties the cart and takes what was in it from the shelves, at the prices of this moment. Where there are too few,
 * the customer gets nothing and is told which product it is.
 */
export const sellCart: CartPOSTManyCheckoutExecuteSale = async ({ customer }, { db }) => {
  // Whoever presses the button twice at once waits here, and then finds an empty cart.
  const wanted = await db.sql<{ sku: string; quantity: number }>`
    delete from cart_line using product where product.id = product_id and customer_id = ${customer}
    returning sku, quantity::int`;
  if (wanted.length === 0) throw new HttpError(409, "cart-empty", "There is nothing in the cart");
  const lines: SoldLine[] = [];
  // In the same order for everybody, so that two who want the same products do not wait for each other for ever.
  for (const { sku, quantity } of [...wanted].sort((a, b) => (a.sku < b.sku ? -1 : 1))) {
    const [taken] = await db.sql<{ product: number; price: string }>`
      update product set stock = stock - ${quantity} where sku = ${sku} and stock >= ${quantity}
      returning id::int as product, price::text`;
    if (taken === undefined) throw new HttpError(409, "out-of-stock", `There are not enough of ${sku}`);
    lines.push({ ...taken, quantity });
  }
  return { lines };
};

export async function writeLines(
  { order, lines }: { readonly order: number; readonly lines: readonly SoldLine[] },
  { db }: ExecuteContext,
): Promise<void> {
  for (const { product, quantity, price } of lines) {
    await db.sql`
      insert into order_line (order_id, product_id, quantity, unit_price)
      values (${order}, ${product}, ${quantity}, ${price}::numeric)`;
  }
}

export async function putBack({ order }: { readonly order: number }, { db }: ExecuteContext): Promise<void> {
  await db.sql`
    update product set stock = stock + line.quantity
    from (select product_id, quantity from order_line where order_id = ${order} order by product_id) as line
    where product.id = line.product_id`;
}

/** `2026-00017`. The row is locked until the order is written, so that numbers have no gaps. */
export async function nextNumber(_: object, { db }: ActionContext): Promise<string> {
  const year = new Date().getUTCFullYear();
  const [counter] = await db.sql<{ last: number }>`
    insert into counter (year, last) values (${year}, 1)
    on conflict (year) do update set last = counter.last + 1
    returning last::int`;
  return `${year}-${String(counter?.last ?? 1).padStart(5, "0")}`;
}
