// Values that a schema of the document allows, and values that it does not.

import fc from "fast-check";

export interface Schema {
  readonly [keyword: string]: unknown;
}

type Resolve = (ref: string) => Schema;

/** Nothing that cannot be stored: U+0000 and halves of surrogate pairs are refused everywhere. */
const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 1 }) },
        fc.constantFrom("é", "ß", "漢", "😀", " ", "'", '"', "%", "\\", "\n"),
      ),
      { minLength, maxLength },
    )
    .map((letters) => letters.join(""))
    .filter((each) => !each.includes("\0"));

export function valid(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === "string") return valid(resolve(schema.$ref), resolve);
  const checks = schema["x-checks"];
  if (Array.isArray(checks) && checks.includes("not-found")) return existing(schema);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valid({ ...schema, type }, resolve)));
  if (schema.type === undefined && Array.isArray(schema.anyOf)) {
    return fc.oneof(...schema.anyOf.map((each) => valid(each, resolve)));
  }
  switch (schema.type) {
    case "string":
      return validText(schema);
    case "integer": {
      const [min, max] = [Number(schema.minimum ?? -1e9), Number(schema.maximum ?? 1e9)];
      const near = fc.integer({
        min: Math.max(min, -20),
        max: Math.max(Math.max(min, -20), Math.min(max, 20)),
      });
      return fc.oneof(
        near,
        fc.maxSafeInteger().filter((each) => each >= min && each <= max),
        fc.constantFrom(min, max),
      );
    }
    case "number":
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: Number(schema.minimum ?? -1e300),
        max: Number(schema.maximum ?? 1e300),
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      if (schema.items !== undefined)
        return fc.array(valid(schema.items as Schema, resolve), { maxLength: 3 });
      return fc.array(fc.oneof(fc.integer(), text(0, 3)), { maxLength: 3 });
    case "object":
      return schema.properties === undefined
        ? fc.dictionary(
            text(1, 4).filter((key) => key !== "__proto__"),
            fc.oneof(fc.integer(), text(0, 3), fc.boolean(), fc.constant(null)),
            { maxKeys: 3 },
          )
        : validObject(schema, resolve);
    default:
      return fc.constant(null);
  }
}

/** Names a record; mostly one that is there. */
function existing({ type }: Schema): fc.Arbitrary<unknown> {
  const types = Array.isArray(type) ? type : [type];
  const there = fc.integer({ min: 1, max: 6 });
  const value: fc.Arbitrary<unknown> = types.includes("integer")
    ? there
    : there.map((index) => `text-${index}`);
  const missing = fc.constantFrom<unknown>(types.includes("integer") ? 999 : "text-999");
  return fc.oneof(
    { weight: 6, arbitrary: value },
    missing,
    ...(types.includes("null") ? [fc.constant(null)] : []),
  );
}

function validObject({ properties, required }: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const entries = Object.entries(properties as Record<string, Schema>);
  const model = Object.fromEntries(entries.map(([name, schema]) => [name, valid(schema, resolve)]));
  return fc.record(model, { requiredKeys: (required as string[] | undefined) ?? [], noNullPrototype: true });
}

const day = fc
  .integer({ min: -60_000, max: 60_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

function validText({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case "date":
      return day;
    case "date-time":
      return fc
        .tuple(day, fc.constantFrom("T00:00:00Z", "T23:59:59.999+05:30", "T12:30:00.123456-11:00"))
        .map((parts) => parts.join(""));
    case "uuid":
      return fc.uuid();
    case "email":
      return fc.constantFrom("ada@example.org", "a.b+c@sub.example.com");
    case "uri":
      return fc.constantFrom("https://example.org/", "http://example.org/a?b=c#d");
  }
  const [min, max] = [Number(minLength ?? 0), Number(maxLength ?? Number(minLength ?? 0) + 12)];
  if (pattern === undefined) return text(min, max);
  return fc
    .stringMatching(new RegExp(String(pattern), "u"))
    .filter((each) => [...each].length >= min && each.length < 200);
}

/** Of any type, and mostly of a wrong one. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e21,
    2 ** 53,
    -(2 ** 53),
    "",
    "x",
    "5",
    " x ",
    "2026-02-30",
    "{}",
    "0.0001",
    "123456789.123",
  ),
  fc.constantFrom<unknown>([], {}, [1], { a: 1 }, "no", "A-1", "x".repeat(300)),
);
