// Messages from the server: cut out of the stream of bytes, and read.

/** The message at hand, inside what the network brought. Good until the handler returns; its bytes stay. */
export interface Message {
  readonly data: Buffer;
  /** Where the body begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Made when it is asked for: most messages of the hot path need none. */
  readonly body: Buffer;
}

export type MessageHandler = (type: number, message: Message) => void;

/** The first byte of a message, as a number, because that is how it is compared. */
export const MESSAGE = {
  authentication: 82, // R
  backendKey: 75, // K
  parameterStatus: 83, // S
  notice: 78, // N
  notification: 65, // A
  error: 69, // E
  ready: 90, // Z
  parseComplete: 49, // 1
  rowDescription: 84, // T
  noData: 110, // n
  dataRow: 68, // D
  commandComplete: 67, // C
  emptyQuery: 73, // I
  portalSuspended: 115, // s
  copyIn: 71, // G
  copyOut: 72, // H
} as const;

const HEAD_BYTES = 5;
const NOTHING = Buffer.alloc(0);

/** Cuts the stream into messages. A message may come in any number of pieces. */
export class MessageReader implements Message {
  data: Buffer = NOTHING;
  start = 0;
  end = 0;
  readonly #handle: MessageHandler;
  #pieces: Buffer[] = [];
  #held = 0;
  #needed = HEAD_BYTES;

  constructor(handle: MessageHandler) {
    this.#handle = handle;
  }

  get body(): Buffer {
    return this.data.subarray(this.start, this.end);
  }

  feed(chunk: Buffer): void {
    if (this.#held === 0) return this.#cut(chunk);
    // Only the broken message is joined, once, when all of it is there; those behind it are cut out of the
    // chunk. Where even its length is broken, which is rare, the whole chunk is joined.
    const missing = this.#held < HEAD_BYTES ? chunk.length : this.#needed - this.#held;
    this.#pieces.push(chunk.subarray(0, missing));
    this.#held += Math.min(missing, chunk.length);
    if (this.#held < this.#needed) return;
    const joined = Buffer.concat(this.#pieces, this.#held);
    this.#pieces = [];
    this.#held = 0;
    this.#cut(joined);
    if (missing < chunk.length) this.#cut(chunk.subarray(missing));
  }

  #cut(data: Buffer): void {
    let at = 0;
    this.data = data;
    while (data.length - at >= HEAD_BYTES) {
      const end = at + 1 + data.readInt32BE(at + 1);
      if (end > data.length) break;
      this.start = at + HEAD_BYTES;
      this.end = end;
      this.#handle(data[at] as number, this);
      at = end;
    }
    this.data = NOTHING;
    if (at < data.length) this.#hold(data.subarray(at));
  }

  #hold(rest: Buffer): void {
    this.#pieces = [rest];
    this.#held = rest.length;
    this.#needed = rest.length < HEAD_BYTES ? HEAD_BYTES : 1 + rest.readInt32BE(1);
  }
}

/** The first column of a row, as it came; no bytes where it is null. */
export function readFirstColumn({ data, start }: Message): Uint8Array {
  const length = data.readInt32BE(start + 2);
  return data.subarray(start + 6, start + 6 + Math.max(0, length));
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
