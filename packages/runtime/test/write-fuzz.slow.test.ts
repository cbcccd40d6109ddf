// Whatever comes as a body, the answer is never a 500, the server goes on, and what is stored is what was said.

import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ground, oneValue, openGround } from "./write-ground.js";

const SOURCE = `
enum Size { small, medium, large }
validator isShort { arg value { type string }, assert { length(value) < 40 }, error { code "long" } }
model Author {
  field name { type string, validate { minLength(1) and isShort() } }
  field email { type string, unique }
  relation books { from Book, through author }
}
model Book {
  field title { type string, validate { matches("^[a-z]") or maxLength(5) } }
  field pages { type integer, default 1 }
  field weight { type float, nullable }
  field price { type decimal(8, 2), default 9.5 }
  field isOut { type boolean, default false }
  field day { type date, nullable }
  field moment { type datetime, nullable }
  field code { type uuid, nullable, unique }
  field facts { type json, nullable }
  field size { type Size, default "small" }
  reference author { to Author, nullable }
}
api {
  entrypoint Author as author {
    create endpoint {}
    update endpoint {}
    entrypoint books { create endpoint {} update endpoint {} }
    POST one "note" {
      extra inputs { field count { type integer } field factor { type decimal, default 1 } field extra { type json, nullable } }
      action {
        create author.books as book { input { title, facts } set pages count + 1, set price factor * 2, deny { weight, isOut, day, moment, code, size } }
        validate with key "count" { count > 0 and minLength(book.title, 2) }
        update book as after { set pages pages * 2 }
        respond { body { id: after.id, pages: after.pages, extra: extra } }
      }
    }
  }
  entrypoint Book {
    create endpoint { action { create { reference author { through email } } } }
    update endpoint {}
  }
}
`;

const ENDPOINTS: readonly [method: string, path: string, valid: object][] = [
  ["POST", "/api/author", { name: "Ann", email: "ann@x.org" }],
  ["PATCH", "/api/author/1", { name: "Bob", email: "bob@x.org" }],
  [
    "POST",
    "/api/book",
    {
      ...{ title: "one", pages: 3, weight: 1.5, price: "12.50", isOut: true, day: "2024-02-29" },
      ...{
        moment: "2024-02-29T12:00:00Z",
        code: "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44",
        facts: { a: [1, null] },
      },
      ...{ size: "large", author_email: "ann@x.org" },
    },
  ],
  ["PATCH", "/api/book/1", { title: "two", pages: 4, price: 3, facts: null, size: "medium", author_id: 1 }],
  ["POST", "/api/author/1/books", { title: "three", facts: [] }],
  ["PATCH", "/api/author/1/books/1", { title: "four", weight: -0.0 }],
  ["POST", "/api/author/1/note", { count: 2, factor: "1.5", extra: {}, book: { title: "note", facts: {} } }],
];

const NAMES = [
  ...[
    "name",
    "email",
    "title",
    "pages",
    "weight",
    "price",
    "isOut",
    "day",
    "moment",
    "code",
    "facts",
    "size",
  ],
  ...[
    "author_id",
    "author_email",
    "count",
    "factor",
    "extra",
    "book",
    "id",
    "__proto__",
    "constructor",
    "toString",
    "",
  ],
];

// ---------------------------------------------------------------- JSON, as text

const NUMBERS =
  "0 -0 1 -1 1.0 1e0 1e400 -1e400 1e-400 9007199254740993 -9223372036854775809 99999999999999999999999999 0.1e1 1.50 12345678.905 1e21 2147483648 0x1 01 .5 5. +1 NaN Infinity - 1e".split(
    " ",
  );
const STRINGS = [
  ...[
    "",
    "a",
    "é",
    "日本",
    "😀",
    "\u0000",
    "\ud800",
    "\\u0000",
    "\\ud800",
    "\\udc00\\ud800",
    "2024-02-30",
    "2024-02-29",
  ],
  ...[
    "24:00",
    "2024-02-29T25:00:00Z",
    "0000-01-01",
    "9999-12-31T23:59:60Z",
    "+275760-09-13T00:00:00Z",
    "-1",
    "1e5",
    "1,5",
  ],
  ...[
    "small",
    "SMALL",
    "' or 1=1 --",
    "${x}",
    "018f4e6e7c5b7a579d3e2f7a1c0b9e44",
    "{}",
    "null",
    "\u2028",
    "x".repeat(3000),
  ],
];
const stringText = fc.oneof(
  // Escapes among them are meant to stay escapes.
  fc.constantFrom(...STRINGS).map((text) => `"${text.replaceAll('"', "")}"`),
  fc.string({ unit: "binary", maxLength: 10 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 10 }).map((text) => `"${text}"`),
);
const scalarText = fc.oneof(
  stringText,
  fc.constantFrom(...NUMBERS, "true", "false", "null", "True", "undefined", ""),
  fc.double().map((value) => String(value)),
);
const keyText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES).map((name) => JSON.stringify(name)) },
  { weight: 1, arbitrary: stringText },
);
const { jsonText } = fc.letrec<{ jsonText: string }>((tie) => ({
  jsonText: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalarText,
    fc.array(tie("jsonText"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(keyText, tie("jsonText")), { maxLength: 6 })
      .map((entries) => `{${entries.map(([key, value]) => `${key}:${value}`).join(", ")}}`),
  ),
}));
const objectText = fc
  .array(fc.tuple(keyText, jsonText), { maxLength: 12 })
  .map((entries) => `{${entries.map(([key, value]) => `${key}:${value}`).join(",")}}`);

const deepText = fc
  .tuple(
    fc.constantFrom("[", '{"facts":', '{"a":', '[{"x":'),
    fc.integer({ min: 50, max: 30_000 }),
    fc.boolean(),
  )
  .map(([open, depth, isClosed]) => {
    const close = open === "[" ? "]" : open.startsWith("[") ? "}]" : "}";
    return `{"title":"deep","facts":${open.repeat(depth)}1${isClosed ? close.repeat(depth) : ""}}`;
  });

/** A valid body with one value in place of another, one taken away, one doubled, or a letter changed. */
const mutated = (valid: object) =>
  fc
    .tuple(fc.constantFrom("replace", "remove", "double", "letter", "cut"), fc.nat(), scalarText, jsonText)
    .map(([how, at, scalar, json]) => {
      const entries = Object.entries(valid).map(([key, value]) => [
        JSON.stringify(key),
        JSON.stringify(value),
      ]);
      const index = at % entries.length;
      const [key = ""] = entries[index] ?? [];
      if (how === "replace") entries[index] = [key, at % 2 === 0 ? scalar : json];
      if (how === "remove") entries.splice(index, 1);
      if (how === "double") entries.push([key, scalar]);
      const text = `{${entries.map((entry) => entry.join(":")).join(",")}}`;
      if (how === "cut") return text.slice(0, at % text.length);
      return how === "letter"
        ? text.slice(0, at % text.length) + scalar.slice(0, 1) + text.slice((at % text.length) + 1)
        : text;
    });

// ---------------------------------------------------------------- requests

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly type: string;
  readonly encoding: string;
}

const TYPES = [
  ...Array.from({ length: 8 }, () => "application/json"),
  ...[
    "application/json; charset=utf-8",
    "application/json; charset=latin1",
    "application/merge-patch+json",
    "text/plain",
  ],
  ...[
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json;;;",
    "json",
    "é",
    "",
  ],
];

const question: fc.Arbitrary<Question> = fc.constantFrom(...ENDPOINTS).chain(([method, path, valid]) => {
  const text = fc.oneof(
    { weight: 6, arbitrary: mutated(valid) },
    { weight: 4, arbitrary: objectText },
    { weight: 2, arbitrary: jsonText },
    { weight: 1, arbitrary: deepText },
  );
  const body = fc.oneof(
    { weight: 12, arbitrary: text.map((each) => Buffer.from(each)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: text.map((each) => Buffer.from(each, "latin1")) },
    { weight: 1, arbitrary: text.map((each) => Buffer.from(`\ufeff${each}`, "utf16le")) },
    { weight: 1, arbitrary: text.map((each) => Buffer.from(`\ufeff${each}`)) },
  );
  return fc.record({
    method: fc.constant(method),
    path: fc.oneof(
      { weight: 9, arbitrary: fc.constant(path) },
      fc.constantFrom("?", "?a", "?pages=%00", "/").map((end) => path + end),
    ),
    body,
    type: fc.constantFrom(...TYPES),
    encoding: fc.constantFrom(...Array.from({ length: 12 }, () => ""), "gzip", "identity", "br, gzip"),
  });
});

let ground: Ground;
let asked = 0;
const seen = new Set<number>();

beforeAll(async () => {
  ground = await openGround({ source: SOURCE, poolSize: 4 });
  await ground.database.execute(
    `insert into author (name, email) values ('Ann', 'a@x'), ('Bob', 'b@x');
     insert into book (title, pages, price, is_out, size, author_id) values ('one', 1, 1, false, 'small', 1)`,
  );
});
afterAll(() => ground.close());

const ALLOWED = new Set([200, 201, 204, 400, 404, 409, 413, 415]);

function expectSound(status: number, body: string, sent: Question): void {
  asked++;
  seen.add(status);
  const shown = `${sent.method} ${sent.path} ${sent.type}: ${sent.body.subarray(0, 500).toString()} → ${status} ${body}`;
  expect(ALLOWED.has(status), `${shown} ${ground.logged.join("\n")}`).toBe(true);
  if (status >= 400) expect(body, shown).not.toMatch(/insert into|select |__idx|_key"|node_modules|\.ts:/);
  if (status === 200 || status === 201 || status >= 400) expect(() => JSON.parse(body), shown).not.toThrow();
}

function headersOf({ type, encoding }: Question): [string, string][] {
  const headers: [string, string][] = [];
  if (type !== "") headers.push(["content-type", Buffer.from(type).toString("latin1")]);
  if (encoding !== "") headers.push(["content-encoding", encoding]);
  return headers;
}

async function askWithin(sent: Question): Promise<void> {
  const { method, path, body } = sent;
  const request = new Request(`http://x${path}`, {
    method,
    headers: headersOf(sent),
    body: new Uint8Array(body),
  });
  const answer = await ground.application.fetch(request);
  expectSound(answer.status, await answer.text(), sent);
}

/** As a length and the bytes, in pieces, or in chunks of HTTP. */
type Pieces = readonly number[] | null;

/** Through a socket, in pieces that end anywhere. */
function askOver(sent: Question, cuts: Pieces, isChunked: boolean): Promise<void> {
  const { method, path, body } = sent;
  const pieces = split(body, cuts ?? []);
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const lines = headersOf(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${framing}\r\n${lines.join("")}\r\n`;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(ground.port, "127.0.0.1", async () => {
      socket.setNoDelay(true);
      socket.write(Buffer.from(head, "latin1"));
      for (const piece of pieces) {
        await new Promise((go) => setImmediate(go));
        if (!socket.writable) return;
        if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
        socket.write(piece);
        if (isChunked) socket.write("\r\n");
      }
      if (isChunked && socket.writable) socket.write("0\r\n\r\n");
    });
    socket.on("data", (part) => {
      parts.push(part);
      if (isComplete(Buffer.concat(parts))) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const text = Buffer.concat(parts).toString();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
      const content = text.slice(text.indexOf("\r\n\r\n") + 4);
      try {
        resolve(expectSound(status, content, sent));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Answers to writes are never chunked. */
function isComplete(answer: Buffer): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.subarray(0, end).toString("latin1"))?.[1];
  return answer.length >= end + 4 + Number(length ?? 0);
}

function split(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (body.length + 1)), body.length])].sort(
    (a, b) => a - b,
  );
  const pieces = places.slice(1).map((end, index) => body.subarray(places[index], end));
  return pieces.filter((piece) => piece.length > 0);
}

const RUNS = { within: 3000, socket: 2000 };
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_229);

test("within the process", async () => {
  await fc.assert(fc.asyncProperty(question, askWithin), {
    numRuns: RUNS.within,
    seed: SEED,
  });
});

test("through a socket, in pieces", async () => {
  const pieces = fc.option(fc.array(fc.nat(), { maxLength: 5 }));
  const property = fc.asyncProperty(question, pieces, fc.boolean(), askOver);
  await fc.assert(property, { numRuns: RUNS.socket, seed: SEED });
});

test("large bodies", async () => {
  for (const size of [1_048_400, 1_048_576, 1_048_577, 3_000_000]) {
    for (const letter of ["x", "é", "\\n", "[", '{"a":']) {
      const text = `{"title":"big","facts":"${letter.repeat(Math.ceil(size / letter.length))}"}`;
      const raw = `{"title":"big","facts":${letter.repeat(Math.ceil(size / letter.length))}`;
      for (const body of [Buffer.from(text), Buffer.from(raw)]) {
        const sent = {
          method: "POST",
          path: "/api/author/1/books",
          body,
          type: "application/json",
          encoding: "",
        };
        await askWithin(sent);
      }
    }
  }
});

test("nothing has happened to the server, and what is stored is sound", async () => {
  expect(asked).toBeGreaterThanOrEqual(5000);
  expect([...seen].sort()).toEqual([200, 201, 400, 409, 413, 415]);
  expect(ground.logged.filter((line) => line.includes('"error"'))).toEqual([]);
  const answer = await ground.send("POST", "/api/author", { body: { name: "last", email: "last@x" } });
  expect(answer.status).toBe(201);
  expect(
    await oneValue(
      ground.database,
      "select count(*)::int from author where length(name) not between 1 and 39",
    ),
  ).toBe(0);
  expect(
    await oneValue(
      ground.database,
      "select count(*)::int from book where title !~ '^[a-z]' and length(title) > 5",
    ),
  ).toBe(0);
});
