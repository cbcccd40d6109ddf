// Every word of the language may be a name: those of all block tables, and those that stand elsewhere.

import { BUILT_IN_VALIDATORS } from "@stoa/definition";
import { expect, test, vi } from "vitest";
import { compile } from "../src/index.js";
import { TYPE_NAMES } from "../src/resolve/value-type.js";

const keywords = vi.hoisted(() => new Set<string>());

vi.mock("../src/syntax/block-table.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../src/syntax/block-table.js")>();
  const defineBlock: typeof original.defineBlock = (owner, properties, options) => {
    for (const word of Object.keys(properties)) keywords.add(word);
    return original.defineBlock(owner, properties, options);
  };
  return { ...original, defineBlock };
});

/** Words that are no properties: they follow one, or name something built in. */
const OTHERS = [
  ...["as", "by", "asc", "desc", "endpoint", "inputs", "with", "key", "auth", "one", "many"],
  ...["cascade", "restrict", "client", "openapi", "apidocs", "ts", "js", "current", "total"],
  ...[
    "length",
    "lower",
    "now",
    "uuid",
    "coalesce",
    "fake",
    "stringify",
    ...BUILT_IN_VALIDATORS,
    ...TYPE_NAMES,
  ],
  ...["constructor", "toString", "prototype", "__proto__", "hasOwnProperty", "_", "this", "owner"],
];

/** A program for each place where a name can stand; it is used in every way. */
const PLACES: Readonly<Record<string, (word: string) => string>> = {
  model: (word) => `
    model ${word} { field f { type integer, default 1 } relation rs { from Other, through r } query q { from rs, first } }
    model Other { reference r { to ${word} } field g { type string, nullable } }
    api { entrypoint ${word} as it {
      list endpoint {} create endpoint {} get endpoint {}
      POST one "x" { action {
        create ${word} as made { set f it.f }
        query as found { from ${word} as z, filter { f > 1 and z.f > 1 }, first }
        create Other as other { set r made }
        execute as ran { hook { arg all query { from ${word}, select { f } }, inline "all" } }
        respond { body found.f }
      } }
    } }
    populator seeds { populate ${word} as one { repeat 2 populate rs { set g stringify(one.f) } } }`,
  field: (word) => `
    model A {
      field ${word} { type integer, unique, default 1, was ${word}_old }
      reference up { to A, nullable }
      relation downs { from A, through up }
      computed sum_ { ${word} + up.${word} * ${word} + sum(downs.${word}) }
      query q { from downs as d, filter { ${word} > 1 and d.${word} < 5 }, order by { ${word} desc, d.${word} asc } }
      query r { from downs, max(${word}) }
      hook h { arg ${word} ${word}, arg x { ${word}: ${word} }, inline "1" }
      unique { ${word}, up }
      index { ${word} desc, up }
      index { ${word} }
    }
    api { entrypoint A as it {
      identify { through ${word} }
      response { ${word}, downs { ${word}, id }, other: ${word}, up }
      list endpoint { filter { ${word} is 1 or not (${word} in [1, 2]) } order by { ${word}, id desc } }
      create endpoint as made { action {
        create { input { ${word} { optional, default 3, validate { min(1) } } } reference up { through ${word} } }
        validate with key "${word}" { made.${word} > 1 }
      } }
      update endpoint { action { update { set ${word} ${word} + 1 } } }
      POST one "x" { action { create A as other { set ${word} 1 deny { up } } respond { body { ${word}: other.${word} } } } }
      POST one "y" { action { create A as other { set up it deny { ${word} } } update it as more { input { ${word} } } } }
    } }
    populator seeds { populate A { set ${word} 3 } }`,
  reference: (word) => `
    model B { field code { type integer, unique } relation as_ { from A, through ${word} } }
    model A {
      reference ${word} { to B, nullable, was ${word}_old }
      computed c { ${word}.code + ${word}_id }
      query q { from ${word}, filter { code > 1 }, first }
      unique { ${word} }
      index { ${word} desc }
    }
    api { entrypoint A as it {
      response { ${word}, id }
      list endpoint { filter { ${word} is not null and ${word}.code > 1 } order by { ${word}.code } response { ${word} { code } } }
      create endpoint { action { create { reference ${word} { through code } } } }
      update endpoint { action { update { input { ${word} } } } }
      POST one "x" { action { create it.${word} as made { set code 1 } delete it.${word} {} update it { set ${word} made } } }
      entrypoint ${word} { get endpoint {} create endpoint {} }
    } }`,
  relation: (word) => `
    model A { relation ${word} { from B, through a } computed n { count(${word}) + sum(${word}.n) } query q { from ${word} } query f { from ${word} as z, first } }
    model B { field n { type integer } reference a { to A } }
    api { entrypoint A as it {
      response { ${word} { n }, all: ${word} }
      list endpoint { filter { exists(${word}) } }
      POST one "x" { action { create it.${word} as made { set n 1 } delete it.${word} {} query as found { from it.${word}, count } } }
      entrypoint ${word} as inner { list endpoint {} create endpoint {} }
    } }
    populator seeds { populate A { populate ${word} { set n 1 } } }`,
  computed: (word) => `
    model A { field f { type integer } computed ${word} { f * 2 } computed other { ${word} + 1 } hook h { arg ${word} ${word}, inline "1" } }
    api { entrypoint A { response { ${word}, h } list endpoint { filter { ${word} > 1 } order by { ${word} } } } }`,
  query: (word) => `
    model A { reference up { to A, nullable } relation downs { from A, through up } query ${word} { from downs } query other { from ${word}, first } }
    api { entrypoint A { response { ${word} { id } } entrypoint ${word} as inner { list endpoint {} } } }`,
  hook: (word) => `
    model A { hook ${word} { arg ${word} 1, source ${word} from "./m" } }
    api { entrypoint A { response { ${word}, id } list endpoint {} } }`,
  alias: (word) => `
    model A { field f { type integer } relation bs { from B, through a } }
    model B { field g { type integer } reference a { to A } query q { from a.bs as ${word}, filter { ${word}.g > 1 }, max(${word}.g) } }
    api { entrypoint A as ${word} {
      authorize { ${word}.f > 1 }
      get endpoint { response { f, more: ${word}.f } }
      update endpoint { action { update { set f ${word}.f + 1 } } }
      delete endpoint { action { delete ${word}.bs {} } }
      POST one "x" { action { create ${word}.bs as made { set g ${word}.f } update ${word} { set f 1 } delete ${word} {} respond { body ${word}.f } } }
      entrypoint bs { list endpoint { filter { a is ${word} } } create endpoint { action { create { set g ${word}.f } } } }
    } }
    api Other { entrypoint A as it {
      create endpoint as ${word} { action { create {} create ${word}.bs as b { set g ${word}.f } } }
      POST one "x" { action { create it.bs as ${word} {} respond { body ${word}.g } } }
      POST one "y" { action { query as ${word} { from it.bs, one } update ${word} { set g 1 } } }
      POST one "z" { action { execute as ${word} { hook { inline "1" } } respond { body ${word} } } }
    } }
    populator seeds { populate A as ${word} { set f 1 populate bs { set g ${word}.f } } }
    populator more { populate A { repeat as ${word} 3 set f ${word}.current } }`,
  input: (word) => `
    model A { field f { type integer } }
    api { entrypoint A {
      create endpoint {
        extra inputs { field ${word} { type integer, default 1, validate { min(1) } } }
        action { validate with key "${word}" { ${word} > 0 } create { set f ${word} + 1 } execute { hook { arg ${word} ${word}, inline "1" } } }
      }
      GET many "x" { extra inputs { field ${word} { type integer } } action { respond { body ${word}, httpHeaders { "X" stringify(${word}) } } } }
    } }`,
  "enum value": (word) => `
    enum E { ${word}, other }
    model A { field e { type E, default "${word}" } computed is_ { e is "${word}" or e in ["${word}"] } }`,
  argument: (word) => `
    validator check { arg ${word} { type integer } arg more { type integer } assert { ${word} > more } error { code "c" } }
    validator other { arg value { type integer } arg ${word} { type integer } assert { value > ${word} } error { code "c" } }
    validator third { arg ${word} { type integer } assert { hook { arg ${word} ${word}, inline "1" } } error { code "c" } }
    model A { field f { type integer, validate { check(1) and other(2) and third() } } }`,
  "ad-hoc name": (word) => `
    model A { field f { type integer } }
    api { entrypoint A as it { response { ${word}: f + 1, f } list endpoint {} GET one "x" { action { respond { body { ${word}: { ${word}: it.f } } } } } } }`,
  api: (word) => `model A {} api ${word} { entrypoint A { list endpoint {} } }`,
  populator: (word) => `model A {} populator ${word} { populate A {} }`,
  runtime: (word) => `runtime ${word} { default source path "x" }`,
};

/** Names that are taken, because something built in has them. */
const DECLARED: Readonly<Record<string, (word: string) => string>> = {
  enum: (word) => `enum ${word} { x } model A { field e { type ${word}, default "x" } }`,
  validator: (word) => `
    validator ${word} { arg value { type integer } assert { value > 1 } error { code "c" } }
    model A { field f { type integer, validate { ${word}() and not ${word}() } } }`,
};

function problemsOf(text: string): string[] {
  return compile([{ name: "a.stoa", text }]).diagnostics.map(
    ({ code, message, span }) => `${code}: ${message} (${text.slice(span.start - 30, span.end + 30)})`,
  );
}

const words = [...new Set([...keywords, ...OTHERS])];

/** Every model has a member `id` already: beside it, the name would mean two things. */
const BESIDE_ID = ["field", "reference", "relation", "computed", "query", "hook", "alias", "input"];

function wordsFor(place: string): string[] {
  // `create as as made` is read as a create with the alias `as`, and then too much.
  if (place === "model") return words.filter((word) => word !== "as");
  return words.filter((word) => word !== "id" || !BESIDE_ID.includes(place));
}

test("there are keywords to try", () => {
  expect(keywords.size).toBeGreaterThan(60);
});

test.each(Object.entries(PLACES))(
  "any word can be the name of: %s",
  { timeout: 30_000 },
  (place, program) => {
    expect(wordsFor(place).flatMap((word) => problemsOf(program(word)))).toEqual([]);
  },
);

test("any word but those of types can be the name of an enum", () => {
  const free = words.filter((word) => !TYPE_NAMES.includes(word));
  expect(free.flatMap((word) => problemsOf(DECLARED.enum?.(word) ?? ""))).toEqual([]);
});

test("any word but those of validators can be the name of a validator", () => {
  const free = words.filter((word) => !BUILT_IN_VALIDATORS.has(word));
  expect(free.flatMap((word) => problemsOf(DECLARED.validator?.(word) ?? ""))).toEqual([]);
});
