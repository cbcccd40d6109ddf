// What is another each time, under names that stay: times, new ids, entity tags.

/** The names of one case. */
export class Names {
  readonly #text: string;
  readonly #values = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** `text` is the file: what it has written out is not new. */
  constructor(text: string) {
    this.#text = text;
  }

  /** A text of the application with names in place of what is new. */
  hide(text: string): string {
    return text
      .replaceAll(MOMENT, (moment) => (isNow(moment) ? "(now)" : moment))
      .replaceAll(DAY, (day) => (day === today() && !this.#text.includes(day) ? "(today)" : day))
      .replaceAll(UUID, (uuid, version: string) => this.#unlessKnown(`uuid${version}`, uuid))
      .replaceAll(TAG, (_, tag: string) => `"${this.#unlessKnown("tag", tag)}"`);
  }

  /** The same for new ids of records that were made at once: which of them comes first is chance. */
  hideIds(text: string): string {
    return this.hide(text).replaceAll(/(?<=:)\d{4,}(?=[,}])/g, (id) => `"${this.#nameOf("id", id)}"`);
  }

  /** A text of the file with what its names stand for. */
  reveal(text: string): string {
    return text.replaceAll(/\((?:uuid\d|tag) \d+\)/g, (name) => this.#values.get(name) ?? name);
  }

  #unlessKnown(kind: string, value: string): string {
    const isKnown = this.#text.includes(value) || this.#text.includes(value.toUpperCase());
    return isKnown ? value : this.#nameOf(kind, value);
  }

  #nameOf(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `(${kind} ${count})`;
    this.#values.set(name, value);
    this.#names.set(value, name);
    return name;
  }
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const DAY = /(?<=")\d{4}-\d\d-\d\d(?=")/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TAG = /"([0-9a-f]{32})"/g;
const AROUND_MS = 60_000;

function isNow(moment: string): boolean {
  return Math.abs(Date.parse(moment) - Date.now()) < AROUND_MS;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
