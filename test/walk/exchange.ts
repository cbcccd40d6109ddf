// Requests and answers as pages show them, in two notations:
//   ```http    METHOD /path, headers, body, a blank line, the status, headers, body; a blank line before the next
//   ```sh      curl commands, whose answer is the ```json block after them; `json 400` if it is no success
// In what is expected, `…` stands for anything, also within a text and as the last item of a list, and `<words>` for
// a value that later requests name again.

export interface Exchange {
  readonly request: SentRequest;
  /** Undefined if nothing is said about it. */
  readonly expected: Expected | undefined;
}

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The variable that takes the member `token` of the answer. */
  readonly tokenName?: string;
}

export interface Expected {
  /** Undefined for any success. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const HEADER = /^([A-Za-z][\w-]*): (.*)$/;

// ---------------------------------------------------------------- http

export function parseHttp(text: string): Exchange[] {
  const paragraphs = text.trimEnd().split(/\n\n+/);
  if (paragraphs.length % 2 !== 0) throw new Error("A request has no answer, or an answer no request.");
  const exchanges: Exchange[] = [];
  for (let index = 0; index < paragraphs.length; index += 2) {
    exchanges.push({
      request: parseRequest(paragraphs[index] ?? ""),
      expected: parseAnswer(paragraphs[index + 1] ?? ""),
    });
  }
  return exchanges;
}

function parseRequest(paragraph: string): SentRequest {
  const { first, headers, body } = splitMessage(paragraph);
  const [, method, target] = /^([A-Z]+) (\/\S*)$/.exec(first) ?? [];
  if (method === undefined || target === undefined) throw new Error(`This is no request: ${first}`);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return { method, target, headers: { ...type, ...headers }, body };
}

function parseAnswer(paragraph: string): Expected {
  const { first, headers, body } = splitMessage(paragraph);
  const status = /^(\d{3})( [A-Z][A-Za-z ]*)?$/.exec(first)?.[1];
  if (status === undefined) throw new Error(`This is no status: ${first}`);
  return { status: Number(status), headers, body };
}

function splitMessage(paragraph: string) {
  const [first = "", ...rest] = paragraph.split("\n");
  const count = rest.findIndex((line) => !HEADER.test(line));
  const headerLines = count === -1 ? rest : rest.slice(0, count);
  const bodyLines = count === -1 ? [] : rest.slice(count);
  return {
    first,
    headers: Object.fromEntries(headerLines.map(readHeader)),
    body: bodyLines.length === 0 ? undefined : bodyLines.join("\n"),
  };
}

function readHeader(line: string): [name: string, value: string] {
  const [, name = "", value = ""] = HEADER.exec(line) ?? [];
  return [name.toLowerCase(), value];
}

// ---------------------------------------------------------------- curl

const TOKEN_COMMAND = /^(\w+)=\$\((curl .*) \| node -pe '[^']*\.token'\)$/;
const SERVER = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):3000(\/.*)$/;

/** The request of a command line; undefined if it is none. */
export function parseCurl(line: string): SentRequest | undefined {
  const token = TOKEN_COMMAND.exec(line);
  const words = splitWords(token?.[2] ?? line);
  if (words[0] !== "curl") return undefined;
  const request = readArguments(words.slice(1));
  return token?.[1] === undefined ? request : { ...request, tokenName: token[1] };
}

function readArguments(words: readonly string[]): SentRequest {
  let method: string | undefined;
  let target: string | undefined;
  let body: string | undefined;
  const headers: [string, string][] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-s") continue;
    if (word === "-X") method = rest.shift();
    else if (word === "-d") body = rest.shift();
    else if (word === "-H") headers.push(readHeader(rest.shift() ?? ""));
    else if (SERVER.test(word)) target = SERVER.exec(word)?.[1];
    else throw new Error(`This is not understood in a curl command: ${word}`);
  }
  if (target === undefined) throw new Error(`This has no address: curl ${words.join(" ")}`);
  const sent = Object.fromEntries(headers);
  if (body !== undefined && sent["content-type"] === undefined) {
    throw new Error(`curl sends a form unless it is told otherwise: ${body}`);
  }
  return { method: method ?? (body === undefined ? "GET" : "POST"), target, headers: sent, body };
}

/** As a shell does, for what pages use of it: quotes of both kinds. Variables stay as they are written. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
}
