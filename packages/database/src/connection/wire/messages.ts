// Messages to the server (PostgreSQL protocol 3.0), written one after the other into memory that is handed to
// the socket in one piece. Values travel as text, always.

const SLAB_BYTES = 16_384;
const SMALLEST_REST = 1024;
const SHORT_TEXT = 32;

/** Grows as needed. Memory that was taken is never written again, because the socket may still read it. */
export class MessageWriter {
  #memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #end = 0;
  #message = 0;

  /** How many bytes wait to be taken. */
  get pending(): number {
    return this.#end - this.#start;
  }

  /** Drops what was written after so many bytes were pending. */
  rollBack(pending: number): void {
    this.#end = this.#start + pending;
  }

  /** What was written since the last time. */
  take(): Buffer {
    const taken = this.#memory.subarray(this.#start, this.#end);
    this.#start = this.#end;
    if (this.#memory.length - this.#end < SMALLEST_REST) {
      this.#memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#start = 0;
      this.#end = 0;
    }
    return taken;
  }

  /** Begins a message; the first ones of a connection have no type. */
  begin(type?: string): this {
    this.#reserve(5);
    if (type !== undefined) this.#memory[this.#end++] = type.charCodeAt(0);
    this.#message = this.#end;
    this.#end += 4;
    return this;
  }

  /** Writes the length of the message, which is known only now. */
  finish(): void {
    this.#memory.writeInt32BE(this.#end - this.#message, this.#message);
  }

  byte(value: string): this {
    this.#reserve(1);
    this.#memory[this.#end++] = value.charCodeAt(0);
    return this;
  }

  int16(value: number): this {
    this.#reserve(2);
    this.#end = this.#memory.writeUInt16BE(value, this.#end);
    return this;
  }

  int32(value: number): this {
    this.#reserve(4);
    this.#end = this.#memory.writeInt32BE(value, this.#end);
    return this;
  }

  /** Text that ends with a zero byte, and so cannot hold one. */
  text(value: string): this {
    if (value !== "" && value.includes("\0"))
      throw new TypeError("Text for PostgreSQL cannot contain a zero character.");
    this.#writeText(value);
    this.#reserve(1);
    this.#memory[this.#end++] = 0;
    return this;
  }

  /** A parameter: its length and its text, or −1 for null. */
  value(value: string | null): this {
    if (value === null) return this.int32(-1);
    this.#reserve(4);
    // Counted from the start, because writing may move everything to other memory.
    const at = this.pending;
    this.#end += 4;
    this.#writeText(value);
    this.#memory.writeInt32BE(this.pending - at - 4, this.#start + at);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#memory.set(value, this.#end);
    this.#end += value.length;
    return this;
  }

  #writeText(value: string): void {
    // A UTF-16 unit takes at most three bytes; counting them exactly would cost more than the memory.
    this.#reserve(value.length * 3);
    if (value.length > SHORT_TEXT || !this.#writeAscii(value)) {
      this.#end += this.#memory.write(value, this.#end, "utf8");
    }
  }

  /** Names and keys are short, and calling out of JavaScript costs more than they do. */
  #writeAscii(value: string): boolean {
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit > 127) return false;
      this.#memory[this.#end + index] = unit;
    }
    this.#end += value.length;
    return true;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#memory.length) return;
    const pending = this.#end - this.#start;
    const grown = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, (pending + bytes) * 2));
    this.#memory.copy(grown, 0, this.#start, this.#end);
    this.#memory = grown;
    this.#message -= this.#start;
    this.#start = 0;
    this.#end = pending;
  }
}

export function writeStartup(writer: MessageWriter, parameters: Readonly<Record<string, string>>): void {
  writer.begin().int32(196_608);
  for (const [name, value] of Object.entries(parameters)) writer.text(name).text(value);
  writer.text("").finish();
}

export function writeTlsRequest(writer: MessageWriter): void {
  writer.begin().int32(80_877_103).finish();
}

export function writeCancelRequest(writer: MessageWriter, key: BackendKey): void {
  writer.begin().int32(80_877_102).int32(key.processId).int32(key.secret).finish();
}

/** What the server wants to hear from whoever wants to cancel a statement of a connection. */
export interface BackendKey {
  readonly processId: number;
  readonly secret: number;
}

export function writePassword(writer: MessageWriter, password: string): void {
  writer.begin("p").text(password).finish();
}

export function writeSaslStart(writer: MessageWriter, mechanism: string, message: string): void {
  writer.begin("p").text(mechanism).value(message).finish();
}

export function writeSaslAnswer(writer: MessageWriter, message: string): void {
  writer.begin("p").bytes(Buffer.from(message)).finish();
}

export function writeQuery(writer: MessageWriter, sql: string): void {
  writer.begin("Q").text(sql).finish();
}

export function writeParse(writer: MessageWriter, name: string, sql: string): void {
  writer.begin("P").text(name).text(sql).int16(0).finish();
}

export interface Binding {
  readonly portal: string;
  readonly statement: string;
  readonly parameters: readonly (string | null)[];
}

export function writeBind(writer: MessageWriter, { portal, statement, parameters }: Binding): void {
  writer.begin("B").text(portal).text(statement).int16(0).int16(parameters.length);
  for (const parameter of parameters) writer.value(parameter);
  writer.int16(0).finish();
}

export function writeDescribe(writer: MessageWriter, what: "S" | "P", name: string): void {
  writer.begin("D").byte(what).text(name).finish();
}

/** All rows when `rows` is 0. */
export function writeExecute(writer: MessageWriter, portal: string, rows: number): void {
  writer.begin("E").text(portal).int32(rows).finish();
}

export function writeClose(writer: MessageWriter, what: "S" | "P", name: string): void {
  writer.begin("C").byte(what).text(name).finish();
}

export function writeSync(writer: MessageWriter): void {
  writer.begin("S").finish();
}

export function writeCopyData(writer: MessageWriter, chunk: Uint8Array): void {
  writer.begin("d").bytes(chunk).finish();
}

export function writeCopyDone(writer: MessageWriter): void {
  writer.begin("c").finish();
}

export function writeCopyFail(writer: MessageWriter, reason: string): void {
  writer.begin("f").text(reason).finish();
}

export function writeTerminate(writer: MessageWriter): void {
  writer.begin("X").finish();
}
