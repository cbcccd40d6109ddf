// Aggregates over arrays. Nulls are left out; the sum of nothing is 0, the average and the extremes are null.

import type { AggregateExpression } from "../expression.js";
import type { Type } from "../types.js";
import { asDecimal, type Ordering, orderingOf } from "./compare.js";
import { addDecimals, compareDecimals, type Decimal, decimalOfInteger, divideDecimals } from "./decimal.js";
import { averageFloats, integerOfBigInt, sumFloats } from "./number.js";
import { inRange } from "./problem.js";
import type { CompileOptions, Evaluate, Value } from "./value.js";

export function compileAggregate(
  { function: name, over }: AggregateExpression,
  values: Evaluate,
  options: CompileOptions,
): Evaluate {
  const of = over.type.kind === "collection" || over.type.kind === "array" ? over.type.of : over.type;
  const aggregate = inRange(aggregateOf(name, of), options);
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

function sumOf(of: Type): Aggregate {
  if (of.kind === "decimal") return decimalSum;
  if (of.kind === "integer") return (values) => integerOfBigInt(integerSum(values));
  return (values) => sumFloats(values as readonly number[]);
}

/** Of integers: the exact sum as a float, divided by the count. */
function averageOf(of: Type): Aggregate {
  return (values) => {
    if (values.length === 0) return null;
    if (of.kind === "decimal") return divideDecimals(decimalSum(values), decimalOfInteger(values.length));
    if (of.kind === "integer") return Number(integerSum(values)) / values.length;
    return averageFloats(values as readonly number[]);
  };
}

function extremeOf(of: Type, sign: 1 | -1): Aggregate {
  const order = of.kind === "decimal" ? digitOrdering(sign) : orderingOf(of, of);
  return (values) =>
    values.reduce<Value>(
      (best, value) => (best === null || order(value, best) * sign > 0 ? value : best),
      null,
    );
}

/** Of equal decimals the one with more digits counts, so that their order does not: 1.50 before 1.5. */
function digitOrdering(sign: 1 | -1): Ordering {
  return (left, right) => {
    const [a, b] = [asDecimal(left), asDecimal(right)];
    return compareDecimals(a, b) || (a.scale - b.scale) * sign;
  };
}
