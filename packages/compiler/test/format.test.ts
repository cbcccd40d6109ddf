// The formatter's style, case by case: a source and how it is printed.

import { describe, expect, test } from "vitest";
import { format } from "../src/format/format.js";

type Case = readonly [name: string, input: string, output: string];

function formatted(text: string): string {
  const result = format({ name: "test.stoa", text });
  if (result.kind === "broken") throw new Error(result.diagnostics.map(({ message }) => message).join("\n"));
  return result.text;
}

/** Drops the indentation that all lines share, and the line breaks around. */
function dedent(text: string): string {
  const lines = text.replace(/^\n|\n *$/g, "").split("\n");
  const margin = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S|$/)));
  return lines.map((line) => line.slice(margin)).join("\n");
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

const files: readonly Case[] = [
  ["an empty file", "", ""],
  ["blanks only", " \n\t\r\n ", ""],
  [
    "a byte order mark, CRLF, no line break at the end",
    "\uFEFFmodel A {\r\n}\r\nmodel B {}",
    "model A {}\n\nmodel B {}\n",
  ],
  ["comments only", "\n\n// a\n\n\n/* b */ /* c */", "// a\n\n/* b */\n/* c */\n"],
  [
    "declarations without blank lines",
    "enum A{a}enum B{b},\nenum C{c}",
    "enum A { a }\n\nenum B { b }\n\nenum C { c }\n",
  ],
  ["many blank lines", "\n\nenum A{a}\n\n\n\nenum B{b}\n\n", "enum A { a }\n\nenum B { b }\n"],
  [
    "comments between declarations",
    "enum A{a} // x\n// y\n\n\n// z\nenum B{b}\n\n/// d\n\nenum C{c} // e\n// end",
    "enum A { a } // x\n\n// y\n\n// z\nenum B { b }\n\n/// d\n\nenum C { c } // e\n\n// end\n",
  ],
  [
    "comments over several lines",
    "model A { timestamps /* a\n     b  \r\n c */ unique { a } }",
    "model A {\n  timestamps\n  /* a\n     b\n c */\n  unique { a }\n}\n",
  ],
  [
    "a comment before a declaration on its line",
    "enum A{a} /* b */ enum B{b}",
    "enum A { a }\n\n/* b */ enum B { b }\n",
  ],
];

const declarations: readonly Case[] = [
  ["models are never on one line", "model A { timestamps }", "model A {\n  timestamps\n}"],
  ["unless they are empty", "model A {\n\n}", "model A {}"],
  [
    "commas between items",
    "model A { timestamps, unique { a, b, }, }",
    "model A {\n  timestamps\n  unique { a, b }\n}",
  ],
  [
    "blocks with one item",
    "auth { model\tUser }\nruntime R{source path 'a'}",
    'auth { model User }\n\nruntime R { source path "a" }',
  ],
  [
    "blocks with two items",
    "runtime R{default,source path'a'}",
    'runtime R {\n  default\n  source path "a"\n}',
  ],
  [
    "small declarations",
    "generator client{\ntarget ts\noutput'x'}",
    'generator client { target ts, output "x" }',
  ],
  [
    "entrypoints and endpoints",
    "api{entrypoint A{list endpoint{}}}",
    `
    api {
      entrypoint A {
        list endpoint {}
      }
    }`,
  ],
  [
    "endpoints with one property",
    "api X{entrypoint A as a{list endpoint{paginable}get endpoint{response{id}},delete endpoint{action{delete}}}}",
    `
    api X {
      entrypoint A as a {
        list endpoint { paginable }
        get endpoint { response { id } }
        delete endpoint {
          action { delete }
        }
      }
    }`,
  ],
  [
    "custom endpoints",
    "api{entrypoint A as a{custom endpoint POST one'x'{action{update a as b{set n 1}}}GET many'y'{}}}",
    `
    api {
      entrypoint A as a {
        custom endpoint POST one "x" {
          action {
            update a as b { set n 1 }
          }
        }
        GET many "y" {}
      }
    }`,
  ],
  [
    "validators",
    "validator v{arg value{type string}assert{hook{arg a value,source f from'./m'}}error{code'x'message'y'}}",
    `
    validator v {
      arg value { type string }
      assert { hook { arg a value, source f from "./m" } }
      error { code "x", message "y" }
    }`,
  ],
  [
    "populators",
    "populator p{populate A as a{repeat as i{start 1 end 3}set n -1,populate bs{set m i.current}}}",
    `
    populator p {
      populate A as a {
        repeat as i { start 1, end 3 }
        set n -1
        populate bs { set m i.current }
      }
    }`,
  ],
  [
    "blank lines between items, not around them",
    "model A {\n\n  timestamps\n\n\n  unique { a }\n  index { a }\n\n}",
    "model A {\n  timestamps\n\n  unique { a }\n  index { a }\n}",
  ],
];

/** Inside of a model. */
const members: readonly Case[] = [
  [
    "properties",
    "field a{\n  type string\n\n  unique,nullable,}",
    "field a { type string, unique, nullable }",
  ],
  ["types with arguments", "field a { type decimal ( 10,2 , ) }", "field a { type decimal(10, 2) }"],
  ["lists", "unique{a b}index{a desc\nb,c asc,}", "unique { a, b }\nindex { a desc, b, c asc }"],
  [
    "operators",
    "computed a{a+b*c-d/e%f<=g and not(h)or i is not j}",
    "computed a { a + b * c - d / e % f <= g and not (h) or i is not j }",
  ],
  ["signs", "computed a { - a - - b + ( - c ) * - f ( - 1 ) }", "computed a { -a - -b + (-c) * -f(-1) }"],
  [
    "a sign after a name",
    "hook a { arg b - 1 arg c - d inline'' }",
    'hook a { arg b -1, arg c -d, inline "" }',
  ],
  [
    "a value in parentheses",
    "field a { default ( 1 ) type integer }",
    "field a { default (1), type integer }",
  ],
  [
    "calls, arrays, structs",
    "hook a{arg b f ( )\narg c g({x:1,y:[ 1,2 ]\nz:{}})inline''}",
    'hook a { arg b f(), arg c g({ x: 1, y: [1, 2], z: {} }), inline "" }',
  ],
  [
    "paths and @auth",
    "computed a { @ auth . b . c in d\n.e . or or f }",
    "computed a { @auth.b.c in d.e.or or f }",
  ],
  ["aggregates", "query a { from b.c as d sum ( d.e*2 ) }", "query a { from b.c as d, sum(d.e * 2) }"],
  [
    "selects",
    "hook a{arg b query{from c,select{*,d{e f},g:h*i\n*\nj}}inline''}",
    'hook a { arg b query { from c, select { *, d { e, f }, g: h * i, *, j } }, inline "" }',
  ],
  ["a trailing comma in an expression", "computed a { b, }", "computed a { b }"],
  [
    "quotes",
    `computed a { 'b' + 'it\\'s' + 'say \\"x\\"' + '"' + "'" + '\\\\' }`,
    `computed a { "b" + "it\\'s" + "say \\"x\\"" + '"' + "'" + "\\\\" }`,
  ],
  ["numbers", "computed a { 1_000 + 1.50 + 007 }", "computed a { 1_000 + 1.50 + 007 }"],
];

const long = "aVeryLongNameThatTakesALotOfSpace";

const breaks: readonly Case[] = [
  [
    "properties lose their commas",
    `field ${long} { type string, default "${long}", validate { minLength(4) } }`,
    `
    field ${long} {
      type string
      default "${long}"
      validate { minLength(4) }
    }`,
  ],
  [
    "lists keep them",
    `unique { ${long}1, ${long}2, ${long}3 }`,
    `
    unique {
      ${long}1,
      ${long}2,
      ${long}3
    }`,
  ],
  [
    "an expression moves to its own line first",
    `computed ${long} { ${long} is 1 and ${long} is 2 }`,
    `
    computed ${long} {
      ${long} is 1 and ${long} is 2
    }`,
  ],
  [
    "then it is broken before its weakest operators",
    `computed a { ${long} is 1 and a or ${long} and b and ${long} is 2 or c }`,
    `
    computed a {
      ${long} is 1 and a
        or ${long} and b and ${long} is 2
        or c
    }`,
  ],
  [
    "and before stronger ones where that is not enough",
    `computed a { b or ${long} + ${long} and not ${long} + ${long} + ${long} > 1 }`,
    `
    computed a {
      b
        or ${long} + ${long}
          and not ${long}
            + ${long}
            + ${long} > 1
    }`,
  ],
  [
    "parentheses",
    `computed a { not (${long} is 1 or ${long} is 2 or ${long} is 3) }`,
    `
    computed a {
      not (
        ${long} is 1
          or ${long} is 2
          or ${long} is 3
      )
    }`,
  ],
  [
    "the last group of a line",
    `computed a { lower(${long}) in ["${long}", "${long}"] }`,
    `
    computed a {
      lower(${long}) in [
        "${long}",
        "${long}"
      ]
    }`,
  ],
];

const comments: readonly Case[] = [
  [
    "at the end of a line",
    "timestamps // a\nunique { b } /* c */\nindex{d}",
    "timestamps // a\nunique { b } /* c */\nindex { d }",
  ],
  ["behind and before a comma", "unique { a // a\n, b, // b\n c }", "unique {\n  a, // a\n  b, // b\n  c\n}"],
  [
    "one-line comments may stay inside of a line",
    "unique { a /* a */, /* b */ b /* c */ }",
    "unique { a /* a */, /* b */ b /* c */ }",
  ],
  [
    "on lines of their own",
    "timestamps\n\n\n// a\n// b\n\n\n// c\nunique{a}\n// d\n",
    "timestamps\n\n// a\n// b\n\n// c\nunique { a }\n// d",
  ],
  [
    "before properties",
    "field a { // a\n type string,\n // b\n unique, // c\n // d\n }",
    "field a { // a\n  type string\n  // b\n  unique // c\n  // d\n}",
  ],
  [
    "inside of an expression",
    "computed a { b // b\n is 1 and /* c */ c /* d */ or // e\n d }",
    "computed a {\n  b // b\n        is 1\n      and /* c */ c\n    /* d */ or // e\n      d\n}",
  ],
  [
    "after brackets",
    "computed a { ( // a\n b ) + f( // c\n c) }",
    "computed a {\n  ( // a\n    b\n  )\n    + f( // c\n      c\n    )\n}",
  ],
  [
    "in empty blocks",
    "hook a { arg b f(/* c */) arg c {/* d */} inline '' }",
    'hook a { arg b f(/* c */), arg c { /* d */ }, inline "" }',
  ],
  [
    "a doc comment before a comma stays there",
    "unique { a\n/// b\n, c }",
    "unique {\n  a\n    /// b\n    ,\n  c\n}",
  ],
  [
    "ignored warnings",
    "// stoa-ignore x: y\nfield a{type string} // stoa-ignore z: y",
    "// stoa-ignore x: y\nfield a { type string } // stoa-ignore z: y",
  ],
];

describe("files", () => {
  test.each(files)("%s", (_, input, output) => expect(formatted(input)).toBe(output));
});

describe("declarations", () => {
  test.each(declarations)("%s", (_, input, output) => expect(formatted(input)).toBe(`${dedent(output)}\n`));
});

describe.each([
  ["members", members],
  ["long lines", breaks],
  ["comments", comments],
])("%s", (_, cases) => {
  test.each(cases)("%s", (_, input, output) => {
    expect(formatted(`model M {\n${input}\n}`)).toBe(`model M {\n${indent(dedent(output))}\n}\n`);
  });
});

describe("broken sources", () => {
  test.each(["model {", "model A { field }", "model A { field a { type string type string } }", '"'])(
    "%s",
    (text) => {
      const result = format({ name: "test.stoa", text });
      expect(result.kind).toBe("broken");
    },
  );

  test("warnings do not matter", () => {
    expect(formatted("/// nothing\n")).toBe("/// nothing\n");
  });
});
