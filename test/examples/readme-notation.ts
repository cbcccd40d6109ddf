// The requests of a README: blocks of `curl` lines, and the answer to the last of them in the block after it.

export interface CurlRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The variable that gets the token of the answer. */
  readonly variable: string | undefined;
}

export interface ReadmeBlock {
  readonly requests: readonly CurlRequest[];
  /** JSON; undefined where the README shows none. */
  readonly answer: string | undefined;
  /** What stands in the README, to be replaced. */
  readonly text: string;
}

const BLOCK = /```sh\n([^`]*?)```(?:\n\n```json\n([^`]*?)```)?/g;

export function readBlocks(readme: string): ReadmeBlock[] {
  return [...readme.matchAll(BLOCK)].flatMap(([text, code = "", answer]) => {
    const requests = code
      .split("\n")
      .filter((line) => /^(?:\w+=\$\()?curl /.test(line))
      .map(readCurl);
    return requests.length === 0 ? [] : [{ requests, answer, text }];
  });
}

const ASSIGNMENT = /^(\w+)=\$\((curl .*) \| sed 's\/\.\*"token":"\\\(\[\^"\]\*\\\)"\.\*\/\\1\/'\)$/;

function readCurl(line: string): CurlRequest {
  const [, variable, command = line] = ASSIGNMENT.exec(line) ?? [];
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
  let method: string | undefined;
  let body: string | undefined;
  let target: string | undefined;
  const headers: Record<string, string> = {};
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-s") continue;
    else if (word === "-X") method = words[++index];
    else if (word === "-d") body = words[++index];
    else if (word === "-H") {
      const [name = "", value = ""] = (words[++index] ?? "").split(": ");
      headers[name] = value;
    } else if (word.startsWith("http://127.0.0.1:3000/")) target = word.slice("http://127.0.0.1:3000".length);
    else throw new Error(`What is ${word} in ${line}?`);
  }
  if (target === undefined) throw new Error(`There is no address in ${line}`);
  return { method: method ?? (body === undefined ? "GET" : "POST"), target, headers, body, variable };
}

const WIDTH = 110;

/** As people write it: what fits into a line is on one. */
export function writeJson(value: unknown, indent = ""): string {
  const short = writeShort(value);
  if (typeof value !== "object" || value === null || indent.length + short.length <= WIDTH) {
    if (indent !== "" || typeof value !== "object") return short;
  }
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const items = Array.isArray(value)
    ? value.map((each) => writeJson(each, inner))
    : Object.entries(value ?? {}).map(([key, each]) => `"${key}": ${writeJson(each, inner)}`);
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
}

function writeShort(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeShort).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const items = Object.entries(value).map(([key, each]) => `"${key}": ${writeShort(each)}`);
  return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
}
