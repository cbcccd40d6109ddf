import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { casesOf, requestOf, show, sourceOf, thing } from "./input-notation.js";

const SOURCE = thing("field a { type string }");

async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe("media types", () => {
  const create = requestOf(SOURCE);
  const update = requestOf(SOURCE, "update");
  const headersOf = (type: string) => (type === "-" ? {} : { "content-type": type });
  const ONE = "unsupported-media-type: The body must be application/json, not";
  for (const { sent, becomes } of casesOf(`
    application/json                   → a "x"
    Application/JSON                   → a "x"
    application/json; charset=utf-8    → a "x"
    application/json ;CHARSET="UTF-8"; q=1 → a "x"
    application/json; profile=x        → a "x"
    application/json; charset=latin1   → unsupported-media-type: The body must be UTF-8, not latin1
    text/plain                         → ${ONE} text/plain
    application/merge-patch+json       → ${ONE} application/merge-patch+json
    application/jsonx                  → ${ONE} application/jsonx
    application/json, text/plain       → ${ONE} application/json, text/plain
    -                                  → unsupported-media-type: The request has no Content-Type; the body must be application/json
  `)) {
    test(sent, async () => {
      const source = { ...sourceOf('{"a":"x"}'), headers: headersOf(sent) };
      expect(await show(create, source)).toBe(becomes);
      const streamed = { ...source, body: chunksOf("", '{"a":', '"x"}') };
      expect(await show(create, streamed)).toBe(becomes);
      const announced = {
        ...source,
        headers: { ...source.headers, "content-length": "9" },
        body: chunksOf('{"a":"x"}'),
      };
      expect(await show(create, announced)).toBe(becomes);
    });
  }

  test("updates take merge patches", async () => {
    const source = { ...sourceOf('{"a":"x"}'), headers: headersOf("application/merge-patch+json") };
    expect(await show(update, source)).toBe('a "x"');
  });

  test("encoded bodies are not taken", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(await show(create, { ...sourceOf("x"), headers })).toBe(
      "unsupported-media-type: The body is encoded (gzip), which is not supported",
    );
  });

  test("an empty body needs no media type", async () => {
    expect(await show(update, { ...sourceOf(chunksOf()), headers: {} })).toBe("nothing");
    expect(await show(update, { ...sourceOf(chunksOf("", "")), headers: headersOf("text/plain") })).toBe(
      "nothing",
    );
  });
});

describe("the limit", () => {
  const subject = requestOf(SOURCE, "create", { maxBodyBytes: 20 });
  const body = '{"a": "123456789012"}';
  const TOO_LARGE = "too-large: The body must not have more than 20 bytes";

  test("counts bytes as they are read, whatever the headers say", async () => {
    expect(await show(subject, sourceOf(body.replace("2", "")))).toBe('a "13456789012"');
    expect(await show(subject, sourceOf(body))).toBe(TOO_LARGE);
    expect(await show(subject, sourceOf(chunksOf(body.slice(0, 10), body.slice(10))))).toBe(TOO_LARGE);
    const lying = { "content-type": "application/json", "content-length": "5" };
    expect(await show(subject, { ...sourceOf(chunksOf(body)), headers: lying })).toBe(TOO_LARGE);
    expect(await show(subject, sourceOf('{"a": "ééééé"}'))).toBe('a "ééééé"');
    expect(await show(subject, sourceOf('{"a": "éééééé"}'))).toBe(TOO_LARGE);
  });

  test("does not begin to read what is announced as too much", async () => {
    const headers = { "content-type": "application/json", "content-length": "21" };
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        throw new Error("was read");
      },
    };
    expect(await show(subject, { ...sourceOf(never), headers })).toBe(TOO_LARGE);
  });

  test("leaves the stream alone, so that the answer can be sent", async () => {
    const stream = Readable.from([Buffer.from(body), Buffer.from(body)], { objectMode: false });
    expect(await show(subject, sourceOf(stream))).toBe(TOO_LARGE);
    expect(stream.destroyed).toBe(false);
    const result = await subject.request.read(sourceOf(body));
    expect(result).toMatchObject({ headers: { Connection: "close" } });
  });
});

test("characters may be cut anywhere between chunks", async () => {
  const bytes = Buffer.from('{"a": "é😀"}');
  const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  expect(await show(requestOf(SOURCE), sourceOf(Readable.from(pieces)))).toBe('a "é😀"');
});

test("a body that breaks off is malformed", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"a"');
    throw new Error("aborted");
  }
  expect(await show(requestOf(SOURCE), sourceOf(broken()))).toBe(
    "malformed: The body ended before it was complete",
  );
});

describe("query strings", () => {
  const subject = requestOf(
    `enum Size { small, large }
    ${thing(
      "field a { type string }",
      `GET one "x" { extra inputs { field s { type string, nullable, validate { minLength(2) } } field n { type integer, default 3 } field f { type float, nullable }
        field d { type decimal(4, 1), nullable } field b { type boolean, nullable } field t { type datetime, nullable }
        field u { type uuid, nullable } field e { type Size, nullable } field j { type json, nullable } field day { type date, nullable } field q { type string } }
        action { respond { body { s: s, n: n, f: f, d: d, b: b, t: t, u: u, e: e, j: j, day: day, q: q } } } }`,
    )}`,
    "custom",
  );
  for (const { sent, becomes } of casesOf(`
    q=x                 → n 3 (default), q "x"
    q=a+b%20c&n=7       → n 7, q "a b c"
    q=&s=ab             → s "ab", n 3 (default), q ""
    n=1                        → /q required: is required
    q=x&n=abc&b=1       → /n type: must be an integer | /b type: must be true or false
    q=x&n=1.0           → /n type: must be an integer
    q=x&n=1e1           → /n type: must be an integer
    q=x&n=              → /n type: must be an integer
    q=x&n=9007199254740993 → /n integer-range: must be from -9007199254740991 to 9007199254740991
    q=x&f=1.5e3&d=1.5&b=true → n 3 (default), f 1500, d 1.5, b true, q "x"
    q=x&f=1e400         → /f float-range: must be a number that 64 bits can hold
    q=x&d=1.55          → /d too-many-digits: must have at most 3 digits before the point and 1 after it
    q=x&t=2026-11-14T10:20:30%2B01:00&day=2026-11-14 → n 3 (default), t "2026-11-14T09:20:30.000000Z", day "2026-11-14", q "x"
    q=x&u=018F4E6E-7c5b-7a57-9d3e-2f7a1c0b9e44&e=small → n 3 (default), u "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44", e "small", q "x"
    q=x&e=big           → /e enum: must be one of: small, large
    q=x&j={"a":[1]}     → n 3 (default), j {"a": [1]}, q "x"
    q=x&j={             → /j type: must be a JSON value
    q=x&s=a&n=1&n=2     → /n repeated: is given more than once | /s min-length: must have at least 2 characters
    q=%00               → /q invalid-text: must not contain U+0000 or halves of surrogate pairs
    q=%ZZ               → malformed: The query string is not well percent-encoded
  `)) {
    test(sent, async () => {
      expect(await show(subject, { ...sourceOf(null), query: sent })).toBe(becomes);
    });
  }

  test("unknown parameters are told beside the rest", async () => {
    expect(await show(subject, { ...sourceOf(null), query: "x=1&n=a" })).toMatch(
      /^\/x unknown: .* \| \/n type: must be an integer \| \/q required: is required$/,
    );
  });
});
