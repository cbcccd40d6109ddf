import { expect, test } from "vitest";
import { fromServer, ServerError } from "../src/connection/errors.js";
import { testDatabase } from "./server.js";

// Who made a request is told more than its kind: by the code, and by the server's own words.
test.each([
  ["22P02", "select $1::int", ["x"], 'invalid input syntax for type integer: "x"'],
  ["22003", "select $1::int", ["9999999999"], 'value "9999999999" is out of range for type integer'],
  ["22003", "select 2147483647 + $1::int", ["1"], "integer out of range"],
  ["22012", "select 1 / $1::int", ["0"], "division by zero"],
])("%s of %s is of kind other, with the server's words", async (sqlState, sql, parameters, message) => {
  const { database } = await testDatabase();
  const failure = await database.query(sql, parameters).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: "other", sqlState, cause: { sqlState, message } });
  expect((failure as Error).cause).toBeInstanceOf(ServerError);
});

test("parameters that do not fit the statement are no failure of the server", async () => {
  const { database } = await testDatabase();
  const failure = await database
    .prepare("select $1")
    .execute([])
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    kind: "other",
    sqlState: "08P01",
    message: expect.stringMatching(
      /^The statement and what was sent with it do not fit together: bind message/,
    ),
  });
});

test("a pooler that hangs up is not available, though it says the same", () => {
  const fields = (severity: string) =>
    new Map(Object.entries({ V: severity, C: "08P01", M: "query_wait_timeout" }));
  expect(fromServer(fields("FATAL"), false).kind).toBe("unavailable");
  expect(fromServer(fields("ERROR"), false).kind).toBe("other");
});
