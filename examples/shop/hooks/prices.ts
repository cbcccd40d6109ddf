// What an order costs. Decimals come as texts, so that no digit is lost; here they are counted in cents.

const FREE_SHIPPING_FROM = 50_00n;
const SHIPPING = 4_90n;
/** From ten pieces of a kind on, they are cheaper. */
const DISCOUNT = { pieces: 10, percent: 10n };

export interface PricedLine {
  readonly quantity: number;
  readonly price: string;
}

export function quote({ lines }: { readonly lines: readonly PricedLine[] }) {
  const amounts = lines.map(({ quantity, price }) => BigInt(quantity) * centsOf(price));
  const goods = sum(amounts);
  const discount = sum(
    lines.map(({ quantity }, index) =>
      quantity >= DISCOUNT.pieces ? ((amounts[index] ?? 0n) * DISCOUNT.percent) / 100n : 0n,
    ),
  );
  const shipping = lines.length === 0 || goods - discount >= FREE_SHIPPING_FROM ? 0n : SHIPPING;
  return {
    goods: textOf(goods),
    discount: textOf(discount),
    shipping: textOf(shipping),
    total: textOf(goods - discount + shipping),
  };
}

function centsOf(price: string): bigint {
  const [whole = "0", fraction = ""] = price.split(".");
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"));
}

function textOf(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
