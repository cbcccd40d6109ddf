// The kinds of exchange: rows, bytes of one column, statements without results, a part of a cursor, COPY.

import type { Row } from "../database.js";
import { copyNotExpected } from "../errors.js";
import { type Decode, decoderOf } from "../values.js";
import type { Connection, Task } from "./connection.js";
import {
  type MessageWriter,
  writeBind,
  writeClose,
  writeCopyFail,
  writeDescribe,
  writeExecute,
  writeParse,
  writeQuery,
  writeSync,
} from "./messages.js";
import { MESSAGE, type Message, readColumns, readFirstColumn } from "./reader.js";

export interface Outcome<Result> {
  resolve(result: Result): void;
  reject(failure: unknown): void;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly (string | null)[];
}

/** The hot path: a prepared statement, and its one column as it came. */
export class BytesTask implements Task {
  readonly isAlone = false;
  readonly #statement: Statement;
  readonly #outcome: Outcome<readonly Uint8Array[]>;
  readonly #rows: Uint8Array[] = [];
  #connection: Connection | undefined;
  #isParsing = false;
  #isCopy = false;

  constructor(statement: Statement, outcome: Outcome<readonly Uint8Array[]>) {
    this.#statement = statement;
    this.#outcome = outcome;
  }

  send(writer: MessageWriter, connection: Connection): void {
    this.#connection = connection;
    this.#isParsing = !connection.statements.has(this.#statement.sql);
    writePrepared(writer, connection, this.#statement);
  }

  receive(type: number, message: Message): void {
    if (type === MESSAGE.dataRow) this.#rows.push(readFirstColumn(message));
    else if (type === MESSAGE.parseComplete) this.#isParsing = false;
    else if (type === MESSAGE.copyIn && this.#connection !== undefined) {
      this.#isCopy = true;
      refuseCopy(this.#connection, true);
    }
  }

  settle(failure: unknown): void {
    if (this.#isParsing) this.#connection?.statements.delete(this.#statement.sql);
    if (failure === undefined) this.#outcome.resolve(this.#rows);
    else if (this.#isCopy) this.#outcome.reject(copyNotExpected());
    else this.#outcome.reject(failure);
  }
}

/** Prepares the statement where it is new to the connection, and runs it to its end, in one exchange. */
export function writePrepared(writer: MessageWriter, connection: Connection, statement: Statement): void {
  writeStep(writer, connection, statement);
  writeSync(writer);
}

/** The same without the end of the exchange: more may follow. */
export function writeStep(
  writer: MessageWriter,
  connection: Connection,
  { sql, parameters }: Statement,
): void {
  let name = connection.statements.get(sql);
  if (name === undefined) {
    // Tasks behind this one take the statement as prepared; the server will have come to it by then.
    name = connection.nameStatement(sql);
    writeParse(writer, name, sql);
  }
  writeBind(writer, { portal: "", statement: name, parameters });
  writeExecute(writer, "", 0);
}

export interface Rows {
  readonly rows: readonly Row[];
  /** The server's word for what was done, such as `INSERT 0 1`. */
  readonly command: string;
  /** Whether the cursor has more. */
  readonly isSuspended: boolean;
}

/** Reads rows into objects. */
class RowReader {
  readonly rows: Row[] = [];
  #names: readonly string[] = [];
  #decoders: readonly (Decode | undefined)[] = [];

  describe(body: Buffer): void {
    const columns = readColumns(body);
    this.#names = columns.map((column) => column.name);
    this.#decoders = columns.map((column) => decoderOf(column.type));
  }

  add(body: Buffer): void {
    const row: Record<string, unknown> = {};
    let at = 2;
    for (const [index, name] of this.#names.entries()) {
      const length = body.readInt32BE(at);
      at += 4;
      if (length < 0) row[name] = null;
      else {
        const text = body.toString("utf8", at, at + length);
        const decode = this.#decoders[index];
        row[name] = decode === undefined ? text : decode(text);
        at += length;
      }
    }
    this.rows.push(row);
  }

  /** The rows so far; the next part has the same columns. */
  take(): readonly Row[] {
    return this.rows.splice(0);
  }
}

interface Exchange {
  readonly write: (writer: MessageWriter) => void;
  /** The simple form has its own way to fail a COPY. */
  readonly isSimple: boolean;
  readonly reader: RowReader;
}

/** Everything that gives rows, or nothing. */
class RowsTask implements Task {
  readonly isAlone = false;
  readonly #exchange: Exchange;
  readonly #outcome: Outcome<Rows>;
  #connection: Connection | undefined;
  #command = "";
  #isSuspended = false;
  #isCopy = false;

  constructor(exchange: Exchange, outcome: Outcome<Rows>) {
    this.#exchange = exchange;
    this.#outcome = outcome;
  }

  send(writer: MessageWriter, connection: Connection): void {
    this.#connection = connection;
    this.#exchange.write(writer);
  }

  receive(type: number, { body }: Message): void {
    const { reader, isSimple } = this.#exchange;
    if (type === MESSAGE.dataRow) reader.add(body);
    else if (type === MESSAGE.rowDescription) reader.describe(body);
    else if (type === MESSAGE.commandComplete) this.#command = body.toString("utf8", 0, body.length - 1);
    else if (type === MESSAGE.portalSuspended) this.#isSuspended = true;
    else if (type === MESSAGE.copyIn && this.#connection !== undefined) {
      this.#isCopy = true;
      refuseCopy(this.#connection, !isSimple);
    } else if (type === MESSAGE.copyOut) this.#isCopy = true;
  }

  settle(failure: unknown): void {
    if (this.#isCopy) this.#outcome.reject(copyNotExpected());
    else if (failure !== undefined) this.#outcome.reject(failure);
    else {
      const rows = this.#exchange.reader.take();
      this.#outcome.resolve({ rows, command: this.#command, isSuspended: this.#isSuspended });
    }
  }
}

/** The server waits for data that nobody has. In the extended form it has also swallowed our "sync". */
export function refuseCopy(connection: Connection, isExtended: boolean): void {
  void connection.sendMore((writer) => {
    writeCopyFail(writer, "COPY is not expected here");
    if (isExtended) writeSync(writer);
  });
}

export function rowsTask({ sql, parameters }: Statement, outcome: Outcome<Rows>): Task {
  const write = (writer: MessageWriter) => {
    writeParse(writer, "", sql);
    writeBind(writer, { portal: "", statement: "", parameters });
    writeDescribe(writer, "P", "");
    writeExecute(writer, "", 0);
    writeSync(writer);
  };
  return new RowsTask({ write, isSimple: false, reader: new RowReader() }, outcome);
}

/** Several statements in one text, without parameters. Rows are read and dropped. */
export function simpleTask(sql: string, outcome: Outcome<Rows>): Task {
  return new RowsTask(
    { write: (writer) => writeQuery(writer, sql), isSimple: true, reader: new RowReader() },
    outcome,
  );
}

/** A cursor of a transaction: opened by its first part, read part by part, closed at the end. */
export interface Cursor {
  readonly portal: string;
  readonly partRows: number;
  readonly reader: RowReader;
}

export function newCursor(portal: string, partRows: number): Cursor {
  return { portal, partRows, reader: new RowReader() };
}

export function openCursorTask(cursor: Cursor, statement: Statement, outcome: Outcome<Rows>): Task {
  const { portal, partRows, reader } = cursor;
  const write = (writer: MessageWriter) => {
    writeParse(writer, "", statement.sql);
    writeBind(writer, { portal, statement: "", parameters: statement.parameters });
    writeDescribe(writer, "P", portal);
    writeExecute(writer, portal, partRows);
    writeSync(writer);
  };
  return new RowsTask({ write, isSimple: false, reader }, outcome);
}

export function fetchTask({ portal, partRows, reader }: Cursor, outcome: Outcome<Rows>): Task {
  const write = (writer: MessageWriter) => {
    writeExecute(writer, portal, partRows);
    writeSync(writer);
  };
  return new RowsTask({ write, isSimple: false, reader }, outcome);
}

export function closeCursorTask({ portal, reader }: Cursor, outcome: Outcome<Rows>): Task {
  const write = (writer: MessageWriter) => {
    writeClose(writer, "P", portal);
    writeSync(writer);
  };
  return new RowsTask({ write, isSimple: false, reader }, outcome);
}
