// Mistakes that newcomers make, with what they are told: one error, in the right place, with a hint that helps.
// `npx vitest run -u` rewrites what is said; the diff is to be read.

import { describe, expect, test } from "vitest";
import { checkSources } from "../src/compile.js";
import { renderDiagnostics } from "../src/diagnostics/render.js";

const FILE = "app.stoa";

function errorsIn(text: string) {
  return checkSources([{ name: FILE, text }]).diagnostics.filter(({ severity }) => severity === "error");
}

/** The one error of a source, as it is printed. */
function said(source: string): string {
  const text = source.replace(/^\n/, "");
  const errors = errorsIn(text);
  expect(errors).toHaveLength(1);
  return `\n${renderDiagnostics(errors, { sources: new Map([[FILE, text]]) })}`;
}

describe("signs from other languages", () => {
  test("a colon after the property word", () => {
    expect(
      said(`
model Book {
  field title { type: string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`:\` after \`type\`.
        ╭─ app.stoa:2:21
      2 │   field title { type: string }
        │                     ^
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("colons everywhere, also after a flag", () => {
    expect(
      said(`
model Book {
  field: title { type: string, unique: true }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`:\` after \`field\`.
        ╭─ app.stoa:2:8
      2 │   field: title { type: string, unique: true }
        │        ^
        ╭─ app.stoa:2:22
      2 │   field: title { type: string, unique: true }
        │                      - and here
        ╭─ app.stoa:2:38
      2 │   field: title { type: string, unique: true }
        │                                      - and here
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("an equals sign", () => {
    expect(
      said(`
model Book {
  field title { type = string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`=\` after \`type\`.
        ╭─ app.stoa:2:22
      2 │   field title { type = string }
        │                      ^
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("an equals sign before a default", () => {
    expect(
      said(`
model Book {
  field pages { type integer, default = 3 }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`=\` after \`default\`.
        ╭─ app.stoa:2:39
      2 │   field pages { type integer, default = 3 }
        │                                       ^
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("an equals sign in `set`", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    update endpoint { action { update { set title = "x" } } }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`=\` after \`title\`.
        ╭─ app.stoa:6:51
      6 │     update endpoint { action { update { set title = "x" } } }
        │                                                   ^
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("a flag with a value", () => {
    expect(
      said(`
model Book {
  field title { type string, unique true }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: \`unique\` stands alone, without a value.
        ╭─ app.stoa:2:37
      2 │   field title { type string, unique true }
        │                                     ^^^^
        = hint: write just \`unique\`
      "
    `);
  });

  test("semicolons at the ends of lines", () => {
    expect(
      said(`
model Book {
  field title { type string; unique };
  field pages { type integer };
};
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There are no semicolons here.
        ╭─ app.stoa:2:28
      2 │   field title { type string; unique };
        │                            ^
        ╭─ app.stoa:2:38
      2 │   field title { type string; unique };
        │                                      - and here
        ╭─ app.stoa:3:31
      3 │   field pages { type integer };
        │                               - and here
        ╭─ app.stoa:4:2
      4 │ };
        │  - and here
        = hint: properties are separated by commas, by blanks or by line breaks
      "
    `);
  });

  test("a vertical bar between values", () => {
    expect(
      said(`
enum Status { draft | published }
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`,\`, but found \`|\`.
        ╭─ app.stoa:1:21
      1 │ enum Status { draft | published }
        │                     ^
      "
    `);
  });

  test("`=>` in a response", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    get endpoint { response { name => title } }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`:\`, but found \`=>\`.
        ╭─ app.stoa:6:36
      6 │     get endpoint { response { name => title } }
        │                                    ^^
      "
    `);
  });

  test("parentheses in place of braces", () => {
    expect(
      said(`
model Book (
  field title { type string }
)
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`(\`.
        ╭─ app.stoa:1:12
      1 │ model Book (
        │            ^
      "
    `);
  });

  test("brackets around a response", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    get endpoint { response [id, title] }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`[\`.
        ╭─ app.stoa:6:29
      6 │     get endpoint { response [id, title] }
        │                             ^
      "
    `);
  });

  test("a comma is missing between arguments", () => {
    expect(
      said(`
model Book {
  field title { type string, validate { oneOf("a" "b") } }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`,\` or \`)\`, but found the text "b".
        ╭─ app.stoa:2:51
      2 │   field title { type string, validate { oneOf("a" "b") } }
        │                                                   ^^^
      "
    `);
  });

  test("two commas", () => {
    expect(
      said(`
model Book {
  field title { type string,, unique }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: There is a comma too many.
        ╭─ app.stoa:2:29
      2 │   field title { type string,, unique }
        │                             ^
      "
    `);
  });
});

describe("operators from other languages", () => {
  test("`||`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { a || b }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: \`||\` is not an operator here.
        ╭─ app.stoa:4:18
      4 │   computed c { a || b }
        │                  ^^
        = hint: write \`or\`
      "
    `);
  });

  test("`!`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { !a }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: \`!\` is not an operator here.
        ╭─ app.stoa:4:16
      4 │   computed c { !a }
        │                ^
        = hint: write \`not\`
      "
    `);
  });

  test("`==`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { a == b }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: \`==\` is not an operator here.
        ╭─ app.stoa:4:18
      4 │   computed c { a == b }
        │                  ^^
        = hint: write \`is\`
      "
    `);
  });

  test("`<>`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { a <> b }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: \`<>\` is not an operator here.
        ╭─ app.stoa:4:18
      4 │   computed c { a <> b }
        │                  ^^
        = hint: write \`is not\`
      "
    `);
  });

  test("`a ? b : c`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { a ? 1 : 2 }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: There is no \`a ? b : c\` here.
        ╭─ app.stoa:4:18
      4 │   computed c { a ? 1 : 2 }
        │                  ^
        = hint: a condition is a value by itself: \`computed isLong { pages > 500 }\`; to choose between others, use a hook
      "
    `);
  });

  test("`if`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { if a then 1 else 2 }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: There is no \`if\` here.
        ╭─ app.stoa:4:16
      4 │   computed c { if a then 1 else 2 }
        │                ^^
        = hint: a condition is a value by itself: \`computed isLong { pages > 500 }\`; to choose between others, use a hook
      "
    `);
  });

  test("`??`", () => {
    expect(
      said(`
model Book {
  field a { type boolean }
  field b { type boolean }
  computed c { a ?? b }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[foreign-operator]: There is no \`??\` here.
        ╭─ app.stoa:4:18
      4 │   computed c { a ?? b }
        │                  ^^
        = hint: write \`coalesce(…, …)\`: the first of its values that is not null
      "
    `);
  });

  test("a method", () => {
    expect(
      said(`
model Book {
  field title { type string }
  computed size { title.length() }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[method-call]: Values have no methods.
        ╭─ app.stoa:3:19
      3 │   computed size { title.length() }
        │                   ^^^^^^^^^^^^^^
        = hint: call the function with the value as its first argument: \`length(…)\`
      "
    `);
  });
});

describe("words from other languages", () => {
  test("a capital letter", () => {
    expect(
      said(`
Model Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`Model\` is not known here.
        ╭─ app.stoa:1:1
      1 │ Model Book {
        │ ^^^^^
        = hint: did you mean \`model\`?
      "
    `);
  });

  test("a capital letter further in", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  Entrypoint Book { list endpoint {} }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`Entrypoint\` is not known here.
        ╭─ app.stoa:5:3
      5 │   Entrypoint Book { list endpoint {} }
        │   ^^^^^^^^^^
        = hint: did you mean \`entrypoint\`?
      "
    `);
  });

  test("a plural", () => {
    expect(
      said(`
model Book {
  fields title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`fields\` is not known here.
        ╭─ app.stoa:2:3
      2 │   fields title { type string }
        │   ^^^^^^
        = hint: did you mean \`field\`?
      "
    `);
  });

  test("a plural as a block", () => {
    expect(
      said(`
model Book {
  fields {
    title { type string }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: There is no \`fields\` block.
        ╭─ app.stoa:2:3
      2 │   fields {
        │   ^^^^^^
        = hint: write \`field\` before each of them: \`field title { … }\`
      "
    `);
  });

  test("`table` for `model`", () => {
    expect(
      said(`
table Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`table\` is not known here.
        ╭─ app.stoa:1:1
      1 │ table Book {
        │ ^^^^^
        = hint: did you mean \`model\`?
      "
    `);
  });

  test("`column` for `field`", () => {
    expect(
      said(`
model Book {
  column title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`column\` is not known here.
        ╭─ app.stoa:2:3
      2 │   column title { type string }
        │   ^^^^^^
        = hint: did you mean \`field\`?
      "
    `);
  });

  test("`create table`", () => {
    expect(
      said(`
create table Book (
  title varchar(255) not null
);
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`create\` does not belong in a file.
        ╭─ app.stoa:1:1
      1 │ create table Book (
        │ ^^^^^^
        = hint: a table is declared with \`model Book { … }\`, and created by \`stoa db push\`
      "
    `);
  });

  test("`import`", () => {
    expect(
      said(`
import { Author } from "./author"
model Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`import\` does not belong in a file.
        ╭─ app.stoa:1:1
      1 │ import { Author } from "./author"
        │ ^^^^^^
        = hint: all files of a project are one program: nothing has to be imported
      "
    `);
  });

  test("`required`", () => {
    expect(
      said(`
model Book {
  field title { type string, required }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`required\` does not belong in a field.
        ╭─ app.stoa:2:30
      2 │   field title { type string, required }
        │                              ^^^^^^^^
        = hint: every field has a value, unless it is \`nullable\`
      "
    `);
  });

  test("`not null`", () => {
    expect(
      said(`
model Book {
  field title { type string not null }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`not\` does not belong in a field.
        ╭─ app.stoa:2:29
      2 │   field title { type string not null }
        │                             ^^^
        = hint: every field has a value, unless it is \`nullable\`
      "
    `);
  });

  test("`where` for `filter`", () => {
    expect(
      said(`
model Book {
  field title { type string }
  relation parts { from Book, through whole }
  reference whole { to Book, nullable }
  query long { from parts, where { title is "x" } }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`where\` is not known here.
        ╭─ app.stoa:5:28
      5 │   query long { from parts, where { title is "x" } }
        │                            ^^^^^
        = hint: did you mean \`filter\`?
      "
    `);
  });

  test("`onDelete`", () => {
    expect(
      said(`
model Author {
  field name { type string }
}
model Book {
  reference author { to Author, onDelete cascade }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`onDelete\` does not belong in a reference.
        ╭─ app.stoa:5:33
      5 │   reference author { to Author, onDelete cascade }
        │                                 ^^^^^^^^
        = hint: write \`on delete cascade\`
      "
    `);
  });
});

describe("fields as others write them", () => {
  test("TypeScript", () => {
    expect(
      said(`
model Book {
  title: string
  pages?: number
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`title\` does not belong in a model.
        ╭─ app.stoa:2:3
      2 │   title: string
        │   ^^^^^
        ╭─ app.stoa:3:3
      3 │   pages?: number
        │   ----- and here
        = hint: a field is written \`field title { type string }\`
      "
    `);
  });

  test("Prisma", () => {
    expect(
      said(`
model Book {
  title String @unique
  pages Int
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`title\` does not belong in a model.
        ╭─ app.stoa:2:3
      2 │   title String @unique
        │   ^^^^^
        ╭─ app.stoa:3:3
      3 │   pages Int
        │   ----- and here
        = hint: a field is written \`field title { type string }\`
      "
    `);
  });

  test("the type first", () => {
    expect(
      said(`
model Book {
  string title
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-property]: \`string\` does not belong in a model.
        ╭─ app.stoa:2:3
      2 │   string title
        │   ^^^^^^
        = hint: a field is written \`field title { type string }\`
      "
    `);
  });

  test("a type of SQL", () => {
    expect(
      said(`
model Book {
  field title { type varchar(255) }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unknown-type]: There is no type \`varchar\`.
        ╭─ app.stoa:2:22
      2 │   field title { type varchar(255) }
        │                      ^^^^^^^
        = hint: it is called \`string\` here
      "
    `);
  });

  test("no block, but a type", () => {
    expect(
      said(`
model Book {
  field title string
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`string\`.
        ╭─ app.stoa:2:15
      2 │   field title string
        │               ^^^^^^
        = hint: write \`{ type string }\`
      "
    `);
  });

  test("no block at all", () => {
    expect(
      said(`
model Book {
  field title
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\` here.
        ╭─ app.stoa:2:14
      2 │   field title
        │              ^
        = hint: a block stands in braces: \`{ type string }\`
      "
    `);
  });

  test("the type without its word", () => {
    expect(
      said(`
model Book {
  field title { string, unique }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[missing-word]: The word \`type\` is missing before \`string\`.
        ╭─ app.stoa:2:17
      2 │   field title { string, unique }
        │                 ^^^^^^
      "
    `);
  });

  test("a list of values", () => {
    expect(
      said(`
model Book {
  field tags { type string[] }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: A field holds one value, not a list.
        ╭─ app.stoa:2:21
      2 │   field tags { type string[] }
        │                     ^^^^^^
        = hint: make a model of the items with a reference to this one, or use \`json\`
      "
    `);
  });

  test("the model of a reference without its word", () => {
    expect(
      said(`
model Author {
  field name { type string }
}
model Book {
  reference author { Author }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[missing-word]: The word \`to\` is missing before \`Author\`.
        ╭─ app.stoa:5:22
      5 │   reference author { Author }
        │                      ^^^^^^
      "
    `);
  });
});

describe("names and texts", () => {
  test("quotes around names", () => {
    expect(
      said(`
model "Book" {
  field "title" { type "string" }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected the model's name, but found a text.
        ╭─ app.stoa:1:7
      1 │ model "Book" {
        │       ^^^^^^
        ╭─ app.stoa:2:9
      2 │   field "title" { type "string" }
        │         ------- and here
        ╭─ app.stoa:2:24
      2 │   field "title" { type "string" }
        │                        -------- and here
        = hint: names are written without quotes
      "
    `);
  });

  test("a text without quotes", () => {
    expect(
      said(`
model Book {
  field title { type string, dbname title_text }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected the database name in quotes.
        ╭─ app.stoa:2:37
      2 │   field title { type string, dbname title_text }
        │                                     ^^^^^^^^^^
        = hint: write "title_text"
      "
    `);
  });

  test("a text without its closing quote", () => {
    expect(
      said(`
model Book {
  field title { type string, default "untitled }
  field pages { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unterminated-string]: This text has no closing quote.
        ╭─ app.stoa:2:38
      2 │   field title { type string, default "untitled }
        │                                      ^^^^^^^^^
        = hint: a text ends on the line where it begins; write \\n for a line break
      "
    `);
  });

  test("a text without its opening quote", () => {
    expect(
      said(`
model Book {
  field title { type string, default untitled" }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unterminated-string]: This text has no opening quote.
        ╭─ app.stoa:2:38
      2 │   field title { type string, default untitled" }
        │                                      ^^^^^^^^^
      "
    `);
  });

  test("curly quotes", () => {
    expect(
      said(`
model Book {
  field title { type string, default “none” }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[invalid-character]: Texts stand in straight quotes: "…".
        ╭─ app.stoa:2:38
      2 │   field title { type string, default “none” }
        │                                      ^^^^^^
      "
    `);
  });

  test("a hyphen in a name", () => {
    expect(
      said(`
model Book {
  field first-name { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: \`first-name\` cannot be a name.
        ╭─ app.stoa:2:9
      2 │   field first-name { type string }
        │         ^^^^^^^^^^
        = hint: names are made of letters, digits and \`_\`: write \`firstName\`
      "
    `);
  });

  test("a blank in a name", () => {
    expect(
      said(`
model Book {
  field first name { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: A name is one word.
        ╭─ app.stoa:2:9
      2 │   field first name { type string }
        │         ^^^^^^^^^^
        = hint: for example: \`firstName\`
      "
    `);
  });

  test("letters of other alphabets", () => {
    expect(
      said(`
model Book {
  field größe { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[invalid-character]: \`größe\` cannot be a name.
        ╭─ app.stoa:2:9
      2 │   field größe { type integer }
        │         ^^^^^
        = hint: names are made of the letters A–Z and a–z, digits and \`_\`
      "
    `);
  });

  test("a name that begins with a digit", () => {
    expect(
      said(`
model Book {
  field 2nd { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[invalid-number]: \`2nd\` is not a number.
        ╭─ app.stoa:2:9
      2 │   field 2nd { type integer }
        │         ^^^
        = hint: a name cannot begin with a digit
      "
    `);
  });

  test("a word of expressions as a name", () => {
    expect(
      said(`
model Book {
  field in { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[reserved-name]: \`in\` cannot be a name.
        ╭─ app.stoa:2:9
      2 │   field in { type integer }
        │         ^^
        = hint: it has a meaning in expressions; the only such words are \`and or not is in true false null\`
      "
    `);
  });

  test("two words without a blank", () => {
    expect(
      said(`
model Book {
  field title { typestring }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: A blank is missing after \`type\`.
        ╭─ app.stoa:2:17
      2 │   field title { typestring }
        │                 ^^^^^^^^^^
      "
    `);
  });

  test("a word twice", () => {
    expect(
      said(`
model Book {
  field field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: \`field\` stands here twice.
        ╭─ app.stoa:2:9
      2 │   field field title { type string }
        │         ^^^^^
      "
    `);
  });
});

describe("apis", () => {
  test("`endpoint` is missing", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book {
    list {}
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`endpoint\`, but found \`{\`.
        ╭─ app.stoa:6:10
      6 │     list {}
        │          ^
      "
    `);
  });

  test("the kind of an endpoint is missing", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book {
    endpoint { paginable }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[missing-word]: The word \`list\` is missing before \`endpoint\`.
        ╭─ app.stoa:6:5
      6 │     endpoint { paginable }
        │     ^^^^^^^^
      "
    `);
  });

  test("the two words the wrong way round", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book {
    endpoint create {}
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: \`create\` comes before \`endpoint\`.
        ╭─ app.stoa:6:5
      6 │     endpoint create {}
        │     ^^^^^^^^^^^^^^^
        = hint: write \`create endpoint\`
      "
    `);
  });

  test("a route the wrong way round", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    POST "publish" one { action { update book { set title "x" } } }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: \`one\` comes before \`"publish"\`.
        ╭─ app.stoa:6:10
      6 │     POST "publish" one { action { update book { set title "x" …
        │          ^^^^^^^^^^^^^
        = hint: write \`one "publish"\`
      "
    `);
  });

  test("a route without `one` or `many`", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    POST "publish" { action { update book { set title "x" } } }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`one\` or \`many\`, but found the text "publish".
        ╭─ app.stoa:6:10
      6 │     POST "publish" { action { update book { set title "x" …
        │          ^^^^^^^^^
        = hint: \`one\` is about one record, \`many\` about the collection: \`POST one "publish"\`
      "
    `);
  });

  test("an alias without `as`", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book book {
    get endpoint { authorize { book.title is "x" } }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[missing-word]: The word \`as\` is missing before \`book\`.
        ╭─ app.stoa:5:19
      5 │   entrypoint Book book {
        │                   ^^^^
      "
    `);
  });

  test("a condition without braces", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    list endpoint { filter title is "x" }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`title\`.
        ╭─ app.stoa:6:28
      6 │     list endpoint { filter title is "x" }
        │                            ^^^^^
        = hint: what follows stands in braces: \`{ … }\`
      "
    `);
  });

  test("an order without braces", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    list endpoint { order by title desc }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`title\`.
        ╭─ app.stoa:6:30
      6 │     list endpoint { order by title desc }
        │                              ^^^^^
        = hint: what follows stands in braces: \`{ … }\`
      "
    `);
  });

  test("an empty condition", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
api {
  entrypoint Book as book {
    list endpoint { filter {} }
  }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected a condition, but found \`}\`.
        ╭─ app.stoa:6:29
      6 │     list endpoint { filter {} }
        │                             ^
      "
    `);
  });
});

describe("braces", () => {
  test("one is missing at the end of a property", () => {
    expect(
      said(`
model Book {
  field title { type string
  field pages { type integer }
}

model Author {
  field name { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unclosed-block]: This \`{\` is never closed.
        ╭─ app.stoa:2:15
      2 │   field title { type string
        │               ^
        ╭─ app.stoa:2:28
      2 │   field title { type string
        │                            - the \`}\` seems to be missing here
      "
    `);
  });

  test("one is missing at the end of a block", () => {
    expect(
      said(`
model Book {
  field title { type string }

model Author {
  field name { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unclosed-block]: This \`{\` is never closed.
        ╭─ app.stoa:1:12
      1 │ model Book {
        │            ^
        ╭─ app.stoa:2:30
      2 │   field title { type string }
        │                              - the \`}\` seems to be missing here
      "
    `);
  });

  test("one is missing at the start of a block", () => {
    expect(
      said(`
model Book
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\` here.
        ╭─ app.stoa:1:11
      1 │ model Book
        │           ^
        = hint: what follows stands in braces: \`{ … }\`
      "
    `);
  });

  test("one is missing at the start of a property", () => {
    expect(
      said(`
model Book {
  field title type string, unique }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`type\`.
        ╭─ app.stoa:2:15
      2 │   field title type string, unique }
        │               ^^^^
        = hint: what follows stands in braces: \`{ … }\`
      "
    `);
  });

  test("one too many", () => {
    expect(
      said(`
model Book {
  field title { type string } }
  field pages { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[stray-brace]: This \`}\` closes nothing.
        ╭─ app.stoa:2:31
      2 │   field title { type string } }
        │                               ^
      "
    `);
  });

  test("one the wrong way round", () => {
    expect(
      said(`
model Book {
  field title } type string }
  field pages { type integer }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\`, but found \`}\`.
        ╭─ app.stoa:2:15
      2 │   field title } type string }
        │               ^
      "
    `);
  });

  test("none at all", () => {
    expect(
      said(`
model Book
  field title { type string }
`),
    ).toMatchInlineSnapshot(`
      "
      error[syntax]: Expected \`{\` here.
        ╭─ app.stoa:1:11
      1 │ model Book
        │           ^
        = hint: what follows stands in braces: \`{ … }\`
      "
    `);
  });
});

describe("comments", () => {
  test("one in another", () => {
    expect(
      said(`
/* outer /* inner */ still outer */
model Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[unterminated-comment]: A comment cannot stand inside another one.
        ╭─ app.stoa:1:10
      1 │ /* outer /* inner */ still outer */
        │          ^^
        = hint: the first \`*/\` ends the outer comment; use \`//\` for the inner one
      "
    `);
  });

  test("one that never ends", () => {
    expect(
      said(`
model Book {
  field title { type string }
}
/* the rest
`),
    ).toMatchInlineSnapshot(`
      "
      error[unterminated-comment]: This comment is never closed.
        ╭─ app.stoa:4:1
      4 │ /* the rest
        │ ^^
        = hint: close it with \`*/\`
      "
    `);
  });

  test("a hash", () => {
    expect(
      said(`
# All our books.
model Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[invalid-character]: A comment does not begin with \`#\`.
        ╭─ app.stoa:1:1
      1 │ # All our books.
        │ ^
        = hint: write \`//\` before it
      "
    `);
  });

  test("two dashes", () => {
    expect(
      said(`
-- All our books.
model Book {
  field title { type string }
}
`),
    ).toMatchInlineSnapshot(`
      "
      error[invalid-character]: A comment does not begin with \`--\`.
        ╭─ app.stoa:1:1
      1 │ -- All our books.
        │ ^^
        = hint: write \`//\` before it
      "
    `);
  });
});

describe("nothing is wrong with", () => {
  const FINE = {
    "commas after the last items": "model Book {\n  field title { type string, unique, },\n}\n",
    "no commas at all": 'model Book { field title { type string unique default "x" } }',
    tabs: "model Book {\n\tfield title { type string }\n}\n",
    "line breaks of Windows": "model Book {\r\n  field title { type string }\r\n}\r\n",
    "a byte order mark": "\u{FEFF}model Book {\n  field title { type string }\n}\n",
    "an empty model": "model Book {}\n",
    "braces on lines of their own": "model Book\n{\n  field title\n  {\n    type string\n  }\n}\n",
    "a very long line": `model Book { ${manyFields(2000)} }`,
  };

  test.each(Object.entries(FINE))("%s", (_, source) => {
    expect(errorsIn(source)).toEqual([]);
  });
});

function manyFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `field f${index} { type string }`).join(" ");
}

describe("places are right", () => {
  test("with tabs, line breaks of Windows and a byte order mark", () => {
    expect(said("\u{FEFF}model Book {\r\n\tfield title { type: string }\r\n}\r\n")).toMatchInlineSnapshot(`
      "
      error[syntax]: There is no \`:\` after \`type\`.
        ╭─ app.stoa:2:20
      2 │   field title { type: string }
        │                     ^
        = hint: a value follows its word without a sign, as in \`type string\`; words such as \`unique\` stand alone
      "
    `);
  });

  test("in a very long line", () => {
    expect(
      said(`model Book { ${manyFields(50)} field last { typ string } ${manyFields(0)} }`),
    ).toMatchInlineSnapshot(`
      "
      error[misspelt-word]: \`typ\` is not known here.
        ╭─ app.stoa:1:1317
      1 │ … type string } field f48 { type string } field f49 { type string } field last { typ string }  }
        │                                                                                  ^^^
        = hint: did you mean \`type\`?
      "
    `);
  });

  test("in deep nesting", () => {
    const source = `model Book { computed x { ${"(".repeat(500)}1${")".repeat(500)} } }`;
    expect(said(source)).toMatchInlineSnapshot(`
      "
      error[too-deep]: This is nested too deeply.
        ╭─ app.stoa:1:126
      1 │ …(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((…
        │                                                                                  ^
        = hint: name the inner parts, for instance as computeds or queries
      "
    `);
  });
});
