import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import type { Target } from "../src/connection/connect-options.js";
import { runBatch } from "../src/connection/statements.js";
import { Connection } from "../src/connection/wire/connection.js";
import { MessageWriter } from "../src/connection/wire/messages.js";
import { MESSAGE, MessageReader } from "../src/connection/wire/reader.js";
import { RowStream } from "../src/connection/wire/row-stream.js";

/** Messages with bodies of these lengths, one after the other. */
function messagesOf(lengths: readonly number[]): Buffer {
  const writer = new MessageWriter();
  for (const [index, length] of lengths.entries()) {
    writer.begin("D").bytes(Buffer.alloc(length, index)).finish();
  }
  return Buffer.from(writer.take());
}

/** The one text column of a row, as the server sends it. */
function rowOf(text: string): Buffer {
  const writer = new MessageWriter();
  writer.begin("D").int16(1).value(text).finish();
  return Buffer.from(writer.take());
}

test("messages are the same in whatever pieces they come, and keep their bytes", () => {
  const lengths = [0, 1, 300, 4, 0, 17, 1000, 3];
  const all = messagesOf(lengths);
  for (let size = 1; size <= all.length; size++) {
    const bodies: Buffer[] = [];
    const reader = new MessageReader((type, { body }) => {
      expect(type).toBe(MESSAGE.dataRow);
      bodies.push(body);
    });
    for (let at = 0; at < all.length; at += size) reader.feed(Buffer.from(all.subarray(at, at + size)));
    expect(Buffer.concat(bodies)).toEqual(Buffer.concat(lengths.map((length, n) => Buffer.alloc(length, n))));
    expect(bodies.map((body) => body.length)).toEqual(lengths);
  }
});

test.each(["", "s12", "~", "\x7f", "ä", "aä", "\u{1F600}", "x".repeat(40), "é".repeat(40)])(
  "the parameter %j is written as UTF-8, with its length",
  (text) => {
    const writer = new MessageWriter();
    writer.value(text);
    const bytes = Buffer.from(text, "utf8");
    const written = writer.take();
    expect(written.readInt32BE(0)).toBe(bytes.length);
    expect(written.subarray(4)).toEqual(bytes);
  },
);

/** A stream that is being read, on a connection that notes what is asked of it. */
function streamOn(calls: string[]): { readonly stream: RowStream; readonly reader: MessageReader } {
  const connection = {
    statements: new Map([["select", "s1"]]),
    pauseReading: () => calls.push("pause"),
    resumeReading: () => calls.push("resume"),
  };
  const stream = new RowStream({ sql: "select", parameters: [] });
  stream.startTask({ resolve: () => calls.push("done"), reject: () => calls.push("failed") });
  stream.send(new MessageWriter(), connection as unknown as Connection);
  return { stream, reader: new MessageReader((type, message) => stream.receive(type, message)) };
}

test("a result that fills the buffer and ends at once leaves the connection reading for the next one", async () => {
  const calls: string[] = [];
  const { stream, reader } = streamOn(calls);
  reader.feed(rowOf("x".repeat(300_000)));
  stream.settle(undefined);
  expect(calls).toEqual(["pause", "resume", "done"]);
  expect((await stream.take())?.map((row) => row.length)).toEqual([300_000]);
});

test("a stream that is cancelled in the moment of its first row does not seem complete", async () => {
  const calls: string[] = [];
  const { stream, reader } = streamOn(calls);
  const taking = stream.take().catch((error: Error) => error.message);
  reader.feed(rowOf("x"));
  stream.cancelled();
  await new Promise((resolve) => setImmediate(resolve));
  stream.settle(undefined);
  stream.end(new Error("cancelled"));
  expect(await taking).toBe("cancelled");
  expect(calls).toEqual(["failed"]);
});

test.each([
  [false, "before it has left: it cannot have been kept"],
  [true, "after it has left: it may have been kept"],
])("a batch whose connection is lost is in doubt (%s) %s", async (isOutcomeUnknown) => {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const connection = new Connection(socket as never, {} as Target);
  const batch = { statements: [{ sql: "select", parameters: [] }], isCommitted: true };
  const answer = runBatch(connection, batch).catch((error: unknown) => error);
  if (isOutcomeUnknown) await new Promise((resolve) => setImmediate(resolve));
  connection.destroy();
  expect(await answer).toMatchObject({ kind: "unavailable", isOutcomeUnknown });
});
