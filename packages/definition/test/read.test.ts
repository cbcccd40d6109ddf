// What the reader says about input that is not a definition: cases of input and of the words for it.

import { describe, expect, test } from "vitest";
import { MAX_DEPTH, MAX_PROBLEMS } from "../src/check.js";
import { readDefinition, readDefinitionValue } from "../src/read.js";
import { library } from "./library.js";

/** Each problem as a line: `path: message (hint)`. */
function explain(result: ReturnType<typeof readDefinition>): readonly string[] {
  if (result.ok) return [];
  return result.problems.map(({ path, message, hint }) =>
    hint === undefined ? `${path}: ${message}` : `${path}: ${message} (${hint})`,
  );
}

test("a good definition is read", () => {
  expect(readDefinition(JSON.stringify(library))).toEqual({ ok: true, definition: library });
  expect(readDefinition(`\uFEFF${JSON.stringify(library)}`)).toEqual({ ok: true, definition: library });
  expect(readDefinitionValue(library)).toEqual({ ok: true, definition: library });
});

describe("texts", () => {
  test.each([
    ["", ": the file is empty (run `stoa build` to write it again)"],
    [" \n", ": the file is empty (run `stoa build` to write it again)"],
    ["hello", ': not JSON: expected a value, found "h" (line 1, column 1)'],
    ['{\n  "version": 1,\n}', ': not JSON: expected a key in double quotes, found "}" (line 3, column 1)'],
    ['{ "version": 1\n<<<<<<< ours', ': not JSON: expected "," or "}", found "<" (line 2, column 1)'],
    ["[]", ": this file is not a Stoa application definition: expected an object, found a list"],
    ["null", ": this file is not a Stoa application definition: expected an object, found null"],
    ["7", ": this file is not a Stoa application definition: expected an object, found the number 7"],
    [
      '{ "name": "left-pad" }',
      ': this file is not a Stoa application definition (a definition begins with "version": 1)',
    ],
    ['{ "version": "1" }', '/version: the version of a definition is a whole number, found the text "1"'],
    ['{ "version": 1.5 }', "/version: the version of a definition is a whole number, found the number 1.5"],
    ['{ "version": null }', "/version: the version of a definition is a whole number, found null"],
    ['{ "version": 7 }', "/version: made by a newer Stoa (version 7); this one reads version 1: update stoa"],
    [
      '{ "version": 0 }',
      "/version: made by an older Stoa (version 0); this one reads version 1: run `stoa build` again",
    ],
  ])("%j", (text, line) => {
    expect(explain(readDefinition(text))).toEqual([line]);
  });
});

const MEMBER_KINDS = '"id", "field", "key", "reference", "relation", "computed", "query", "hook"';

/** `from` is a piece of the library's JSON that is found once, `to` what stands there instead. */
const EDITS: readonly { from: string; to: string; says: readonly string[] }[] = [
  { from: '"apis":[],', to: "", says: [': "apis" is missing'] },
  {
    from: '"apis":[]',
    to: '"apsi":[]',
    says: [': "apis" is missing', '/apsi: unknown key "apsi" (did you mean "apis"?)'],
  },
  { from: '"apis":[]', to: '"apis":[],"x":1', says: ['/x: unknown key "x"'] },
  {
    from: '"apis":[]',
    to: '"apis":[],"__proto__":{"auth":1}',
    says: ['/__proto__: unknown key "__proto__"'],
  },
  { from: '"apis":[]', to: '"apis":[],"a/b~c":1', says: ['/a~1b~0c: unknown key "a/b~c"'] },
  { from: '"apis":[]', to: '"apis":{}', says: ["/apis: expected a list, found an object"] },
  { from: '"apis":[]', to: '"apis":[true]', says: ["/apis/0: expected an object, found true"] },
  {
    from: '"auth":null',
    to: '"auth":"yes"',
    says: ['/auth: expected an object or null, found the text "yes"'],
  },
  {
    from: '"sources":["library.stoa"]',
    to: '"sources":[["library.stoa"],1]',
    says: ["/sources/0: expected a text, found a list", "/sources/1: expected a text, found the number 1"],
  },
  {
    from: '"doc":"Who writes."',
    to: '"doc":[]',
    says: ["/models/0/doc: expected a text or null, found a list"],
  },
  {
    from: "[0,1,1,3,2]",
    to: "[0,1,1,3]",
    says: ["/models/0/at: expected a list of 5 items, found 4 items"],
  },
  {
    from: "[0,1,1,3,2]",
    to: "[0,0,1.5,3,2]",
    says: [
      "/models/0/at/1: expected a whole number of at least 1, found the number 0",
      "/models/0/at/2: expected a whole number of at least 1, found the number 1.5",
    ],
  },
  {
    from: '"value":2',
    to: '"value":1e999',
    says: [
      "/models/0/members/1/validate/arguments/0/value: expected a text or a number or true or false or null, found the number Infinity",
    ],
  },
  {
    from: '"kind":"relation"',
    to: '"kind":"relatoin"',
    says: [
      `/models/0/members/2/kind: unknown kind "relatoin"; known kinds: ${MEMBER_KINDS} (did you mean "relation"?)`,
    ],
  },
  {
    from: '"kind":"relation"',
    to: '"kind":5',
    says: [`/models/0/members/2/kind: expected a kind, found the number 5; known kinds: ${MEMBER_KINDS}`],
  },
  {
    from: '"kind":"relation",',
    to: "",
    says: [`/models/0/members/2: "kind" is missing; known kinds: ${MEMBER_KINDS}`],
  },
  {
    from: '"name":"author","doc":null,"at":[0,6,3,6,33],"to":"Author"',
    to: '"name":"author","doc":null,"at":[0,6,3,6,33],"to":null',
    says: ["/models/1/members/1/to: expected a text, found null"],
  },
  {
    from: '"nullable":false,"onDelete":"restrict"',
    to: '"nullable":0,"onDelete":"restict"',
    says: [
      "/models/1/members/1/nullable: expected true or false, found the number 0",
      '/models/1/members/1/onDelete: expected one of "cascade", "set null", "restrict", found the text "restict" (did you mean "restrict"?)',
    ],
  },
  {
    from: '"to":"Author"',
    to: '"to":"Autor"',
    says: ['/models/1/members/1/to: there is no model "Autor" (did you mean "Author"?)'],
  },
  { from: '"from":"Book"', to: '"from":"X"', says: ['/models/0/members/2/from: there is no model "X"'] },
  {
    from: '"enum":"Genre"',
    to: '"enum":"genres"',
    says: ['/models/1/members/3/type/enum: there is no enum "genres" (did you mean "Genre"?)'],
  },
  {
    from: '"validator":"minLength"',
    to: '"validator":"minLenght"',
    says: [
      '/models/0/members/1/validate/validator: there is no validator "minLenght" (did you mean "minLength"?)',
    ],
  },
  {
    from: '"table":"author"',
    to: '"table":"constructor"',
    says: ['/models/1/table/foreignKeys/0/table: there is no table "constructor"'],
  },
];

describe("edits", () => {
  const text = JSON.stringify(library);

  test.each(EDITS)("$from → $to", ({ from, to, says }) => {
    expect(text.split(from).length, "the piece is found once").toBe(2);
    expect(explain(readDefinition(text.replace(from, to)))).toEqual(says);
  });
});

describe("limits", () => {
  test("at most twenty problems", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => [`x${index}`, 0]);
    const wrong = { ...library, ...Object.fromEntries(keys) };
    expect(explain(readDefinitionValue(wrong))).toHaveLength(MAX_PROBLEMS);
    const models = keys.map(() => ({ name: "Stray", at: 1 }));
    expect(explain(readDefinitionValue({ ...library, models }))).toHaveLength(MAX_PROBLEMS);
    const strays = keys.flatMap(() => library.models);
    expect(explain(readDefinitionValue({ ...library, models: strays, enums: [] }))).toHaveLength(
      MAX_PROBLEMS,
    );
  });

  test("deep nesting is refused, and nothing overflows", () => {
    const levels = 100_000;
    const expression = (depth: number) => {
      const open = '{"kind":"unary","type":{"kind":"boolean","nullable":false},"operator":"not","operand":';
      const leaf = '{"kind":"literal","type":{"kind":"boolean","nullable":false},"value":true}';
      return `${open.repeat(depth)}${leaf}${"}".repeat(depth)}`;
    };
    const read = (depth: number) =>
      readDefinition(JSON.stringify(library).replace('"default":null', `"default":${expression(depth)}`));
    for (const line of explain(read(levels))) expect(line).toMatch(/nested deeper than 500 levels$/);
    expect(read(levels).ok).toBe(false);
    expect(read(MAX_DEPTH - 10).ok).toBe(true);
    const lists = `{"version":1,"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(explain(readDefinition(lists))).toContain('/x: unknown key "x"');
    expect(explain(readDefinition("[".repeat(levels)))[0]).toMatch(/found the end of the file/);
  });

  test("values that JSON does not have", () => {
    const cycle: Record<string, unknown> = { kind: "array", of: null, nullable: false };
    cycle.of = cycle;
    const member = {
      kind: "computed",
      name: "",
      doc: null,
      at: [0, 1, 1, 1, 1],
      type: cycle,
      value: undefined,
    };
    const models = [{ ...library.models[0], name: "Cycle", members: [member] }];
    const lines = explain(readDefinitionValue({ ...library, models }));
    expect(lines[0]).toMatch(/nested deeper than 500 levels/);
    expect(lines[1]).toBe(
      "/models/0/members/0/value: expected an object, found a value that JSON does not have (undefined)",
    );
    expect(explain(readDefinitionValue(undefined))).toHaveLength(1);
  });
});

test("reading takes as many steps per model, however many there are", () => {
  const steps = [10, 20, 40].map((count) => {
    const models = Array.from({ length: count }, () => library.models).flat();
    return countSteps({ ...library, models });
  });
  const [small = 0, middle = 0, large = 0] = steps;
  expect(large - middle).toBe(2 * (middle - small));
});

/** How often the reader looks into an object of the value. */
function countSteps(value: object): number {
  let steps = 0;
  const watch = <T>(inner: T): T => {
    if (typeof inner !== "object" || inner === null) return inner;
    return new Proxy(inner, {
      get: (target, key) => {
        steps++;
        return watch(Reflect.get(target, key));
      },
    });
  };
  expect(readDefinitionValue(watch(value)).ok).toBe(true);
  return steps;
}
