// The notation of the push cases: what was pushed before, the rows that were there, what is pushed now, and what
// comes of it.
//
//   === a required field with a default
//   model Book { field title { type string } }
//   --- rows
//   INSERT INTO book (title) VALUES ('Emma');
//   --- new
//   model Book { field title { type string }, field pages { type integer, default 0 } }
//   --- steps
//   additive     adds the column pages to book
//   --- select title, pages from book
//   {"title":"Emma","pages":"0"}
//
// `--- before` is SQL from other hands that is run first, `--- others` such SQL after the old source was pushed;
// without an old source nothing is pushed before. `--- warnings` and `--- obstacles` are there when there are
// any; with obstacles nothing has changed.

export interface PushCase {
  readonly title: string;
  readonly sections: readonly Section[];
}

export interface Section {
  /** `old` for what stands before the first `---`. */
  readonly name: string;
  readonly text: string;
}

/** Sections that say what comes of it, and so are rewritten by UPDATE=1. */
const RESULTS = ["steps", "warnings", "obstacles", "select"];

export function readPushCases(text: string): { introduction: string; cases: PushCase[] } {
  const [introduction = "", ...bodies] = text.split(/^=== /m);
  return { introduction, cases: bodies.map(readCase) };
}

function readCase(body: string): PushCase {
  const [head = "", ...rest] = body.split(/^--- /m);
  const sections = rest.map((part) => readSection(part));
  const { name: title, text: old } = readSection(head);
  return { title, sections: [{ name: "old", text: old }, ...sections] };
}

function readSection(part: string): Section {
  const [name = "", ...lines] = part.split("\n");
  return { name: name.trim(), text: lines.join("\n").trim() };
}

export function sectionOf({ sections }: PushCase, name: string): string {
  return sections.find((section) => section.name === name)?.text ?? "";
}

export function isResult({ name }: Section): boolean {
  return RESULTS.some((result) => name === result || name.startsWith(`${result} `));
}

export function writePushCases(introduction: string, cases: readonly PushCase[]): string {
  return `${introduction.trimEnd()}\n\n${cases.map(writeCase).join("\n")}`;
}

function writeCase({ title, sections }: PushCase): string {
  const parts = sections.map(({ name, text }) => {
    const head = name === "old" ? `=== ${title}` : `--- ${name}`;
    return text === "" ? `${head}\n` : `${head}\n${text}\n`;
  });
  return parts.join("");
}
