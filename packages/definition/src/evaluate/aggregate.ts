// Aggregates over arrays. Nulls are left out; the sum of nothing is 0, the average and the extremes are null.

import type { AggregateExpression } from "../expression.js";
import type { Type } from "../types.js";
import { asDecimal, orderingOf } from "./compare.js";
import { addDecimals, type Decimal, decimalOfInteger, divideDecimals } from "./decimal.js";
import { divideFloats, float, integerOfBigInt } from "./number.js";
import type { Evaluate, Value } from "./value.js";

export function compileAggregate({ function: name, over }: AggregateExpression, values: Evaluate): Evaluate {
  const of = over.type.kind === "collection" || over.type.kind === "array" ? over.type.of : over.type;
  const aggregate = aggregateOf(name, of);
  return (scope) => {
    const all = values(scope);
    return all === null ? null : aggregate((all as readonly Value[]).filter((value) => value !== null));
  };
}

type Aggregate = (values: readonly Value[]) => Value;

function aggregateOf(name: AggregateExpression["function"], of: Type): Aggregate {
  switch (name) {
    case "count":
      return (values) => values.length;
    case "exists":
      return (values) => values.length > 0;
    case "sum":
      return sumOf(of);
    case "avg":
      return averageOf(of);
    case "min":
      return extremeOf(of, -1);
    case "max":
      return extremeOf(of, 1);
  }
}

const ZERO = decimalOfInteger(0);

function decimalSum(values: readonly Value[]): Decimal {
  return values.map(asDecimal).reduce(addDecimals, ZERO);
}

/** Exact: only the result has to be in range, not the sums on the way. */
function integerSum(values: readonly Value[]): bigint {
  return values.reduce<bigint>((sum, value) => sum + BigInt(value as number), 0n);
}

function floatSum(values: readonly Value[]): number {
  return float(values.reduce<number>((sum, value) => sum + (value as number), 0));
}

function sumOf(of: Type): Aggregate {
  if (of.kind === "decimal") return decimalSum;
  if (of.kind === "integer") return (values) => integerOfBigInt(integerSum(values));
  return floatSum;
}

/** Of integers: the exact sum as a float, divided by the count. */
function averageOf(of: Type): Aggregate {
  return (values) => {
    if (values.length === 0) return null;
    if (of.kind === "decimal") return divideDecimals(decimalSum(values), decimalOfInteger(values.length));
    const sum = of.kind === "integer" ? Number(integerSum(values)) : floatSum(values);
    return sum === 0 ? 0 : divideFloats(sum, values.length);
  };
}

function extremeOf(of: Type, sign: 1 | -1): Aggregate {
  const order = orderingOf(of, of);
  return (values) =>
    values.reduce<Value>(
      (best, value) => (best === null || order(value, best) * sign > 0 ? value : best),
      null,
    );
}
