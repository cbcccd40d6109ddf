// Messages from the server: cut out of the stream of bytes, and read.

export type MessageHandler = (type: number, body: Buffer) => void;

/** The first byte of a message, as a number, because that is how it is compared. */
export const MESSAGE = {
  authentication: 82, // R
  backendKey: 75, // K
  parameterStatus: 83, // S
  notice: 78, // N
  notification: 65, // A
  error: 69, // E
  ready: 90, // Z
  rowDescription: 84, // T
  noData: 110, // n
  dataRow: 68, // D
  commandComplete: 67, // C
  portalSuspended: 115, // s
  copyIn: 71, // G
  copyOut: 72, // H
} as const;

/** Cuts the stream into messages. A message may come in any number of pieces. */
export class MessageReader {
  readonly #handle: MessageHandler;
  #pieces: Buffer[] = [];
  #held = 0;
  #needed = 5;

  constructor(handle: MessageHandler) {
    this.#handle = handle;
  }

  feed(chunk: Buffer): void {
    // Pieces of a long message are joined once, when all are there.
    if (this.#held > 0) {
      this.#pieces.push(chunk);
      this.#held += chunk.length;
      if (this.#held < this.#needed) return;
      const joined = Buffer.concat(this.#pieces, this.#held);
      this.#pieces = [];
      this.#held = 0;
      this.#cut(joined);
    } else this.#cut(chunk);
  }

  #cut(data: Buffer): void {
    let start = 0;
    while (data.length - start >= 5) {
      const end = start + 1 + data.readInt32BE(start + 1);
      if (end > data.length) break;
      this.#handle(data[start] as number, data.subarray(start + 5, end));
      start = end;
    }
    if (start === data.length) return;
    this.#pieces = [data.subarray(start)];
    this.#held = data.length - start;
    this.#needed = this.#held >= 5 ? 1 + data.readInt32BE(start + 1) : 5;
  }
}

export interface Column {
  readonly name: string;
  readonly type: number;
}

export function readColumns(body: Buffer): readonly Column[] {
  const columns: Column[] = [];
  let at = 2;
  for (let count = body.readUInt16BE(0); count > 0; count--) {
    const end = body.indexOf(0, at);
    columns.push({ name: body.toString("utf8", at, end), type: body.readUInt32BE(end + 7) });
    at = end + 19;
  }
  return columns;
}

/** What the server says of an error, by the letters of the protocol. */
export function readErrorFields(body: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const end = body.indexOf(0, at + 1);
    fields.set(String.fromCharCode(body[at] as number), body.toString("utf8", at + 1, end));
    at = end + 1;
  }
  return fields;
}
