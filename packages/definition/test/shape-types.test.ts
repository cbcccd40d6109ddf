// What must not compile. Each mistake stands under a `@ts-expect-error`, which itself is an error as soon as
// the line below it compiles.

import { describe, expect, test } from "vitest";
import {
  boolean,
  choice,
  either,
  integer,
  list,
  literal,
  named,
  nothing,
  nullable,
  number,
  object,
  optional,
  type Shape,
  text,
  tuple,
  union,
} from "../src/shape.js";

interface Book {
  readonly title: string;
  readonly subtitle: string | null;
  readonly pages?: number;
}

interface Circle {
  readonly kind: "circle";
  readonly radius: number;
}

interface Polygon {
  readonly kind: "square" | "triangle";
  readonly side: number;
}

interface Point {
  readonly kind: "point";
}

type Figure = Circle | Polygon | Point;

const circle = object<Circle>({ kind: literal("circle"), radius: number });
const polygon = object<Polygon>({ kind: choice("square", "triangle"), side: number });
const point = object<Point>({ kind: literal("point") });

describe("shapes that fit their types", () => {
  test("compile", () => {
    const shapes = [
      object<Book>({ title: text, subtitle: nullable(text), pages: optional(integer()) }),
      union(circle, polygon, point) satisfies Shape<Figure>,
      union(union(circle, polygon), point) satisfies Shape<Figure>,
      tuple<readonly [from: number, to: string]>(["from", number], ["to", text]),
      object<{ readonly at: { readonly line: number } | null }>({
        at: nullable(object({ line: integer(1) })),
      }),
      either(text, number, boolean, nothing) satisfies Shape<string | number | boolean | null>,
      named("Book", "", () => list(text)) satisfies Shape<readonly string[]>,
    ];
    expect(shapes.map((shape) => shape.kind)).toContain("object");
  });
});

describe("shapes that do not fit their types", () => {
  test("keys", () => {
    // @ts-expect-error: `subtitle` is missing
    object<Book>({ title: text, pages: optional(integer()) });
    // @ts-expect-error: the optional `pages` is missing
    object<Book>({ title: text, subtitle: nullable(text) });
    // @ts-expect-error: `author` is unknown
    object<Book>({ title: text, subtitle: nullable(text), pages: optional(integer()), author: text });
    // @ts-expect-error: `title` is a text
    object<Book>({ title: number, subtitle: nullable(text), pages: optional(integer()) });
    // @ts-expect-error: a union is no object
    object<Figure>({ kind: choice("circle", "square", "triangle", "point") });
    // @ts-expect-error: the type must be known
    object({ title: text });
  });

  test("null and absence", () => {
    // @ts-expect-error: `title` is never null
    object<Book>({ title: nullable(text), subtitle: nullable(text), pages: optional(integer()) });
    // @ts-expect-error: `subtitle` may be null
    object<Book>({ title: text, subtitle: text, pages: optional(integer()) });
    // @ts-expect-error: `pages` may be absent
    object<Book>({ title: text, subtitle: nullable(text), pages: integer() });
    // @ts-expect-error: `pages` may be absent, yet not null
    object<Book>({ title: text, subtitle: nullable(text), pages: optional(nullable(integer())) });
    // @ts-expect-error: `title` is never absent
    object<Book>({ title: optional(text), subtitle: nullable(text), pages: optional(integer()) });
  });

  test("choices and literals", () => {
    // @ts-expect-error: "b" is forgotten
    choice("a") satisfies Shape<"a" | "b">;
    // @ts-expect-error: "c" is unknown
    choice("a", "b", "c") satisfies Shape<"a" | "b">;
    // @ts-expect-error: not any text will do
    object<Point>({ kind: text });
    // @ts-expect-error: another text
    object<Point>({ kind: literal("dot") });
    // @ts-expect-error: any text will do
    object<{ readonly name: string }>({ name: literal("id") });
  });

  test("unions", () => {
    // @ts-expect-error: a variant is forgotten
    union(circle, polygon) satisfies Shape<Figure>;
    // @ts-expect-error: a variant too many
    union(circle, polygon, point) satisfies Shape<Circle | Polygon>;
    // @ts-expect-error: a kind of a variant is forgotten
    object<Polygon>({ kind: choice("square"), side: number });
    // @ts-expect-error: boolean is forgotten
    either(text, number) satisfies Shape<string | number | boolean>;
    // @ts-expect-error: null is forgotten
    nullable(text) satisfies Shape<string | number | null>;
  });

  test("lists, tuples, inner objects", () => {
    // @ts-expect-error: a list of numbers
    list(text) satisfies Shape<readonly number[]>;
    // @ts-expect-error: a list of texts or numbers
    list(text) satisfies Shape<readonly (string | number)[]>;
    // @ts-expect-error: one item is missing
    tuple<readonly [number, number]>(["from", number]);
    // @ts-expect-error: one item too many
    tuple<readonly [number, number]>(["from", number], ["to", number], ["end", number]);
    // @ts-expect-error: an item of another type
    tuple<readonly [number, string]>(["from", number], ["to", number]);
    object<{ readonly at: { readonly line: number; readonly column?: number } | null }>({
      // @ts-expect-error: the optional `column` is missing
      at: nullable(object({ line: integer() })),
    });
    // @ts-expect-error: the body is a text
    named<number>("Count", "", () => text);
  });
});
