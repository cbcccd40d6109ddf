// E-mail addresses and URLs, as `isEmail` and `isUrl` understand them. Every test takes time proportional to the text.

/** RFC 5321 and 5322, without what nobody uses: quotes, comments and addresses by number. */
const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const MAX_LABEL = 63;

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  if (text.length > MAX_EMAIL || local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return false;
  const labels = text.slice(at + 1).split(".");
  const hasName = labels.length > 1 && !/^\p{N}+$/u.test(labels.at(-1) ?? "");
  return hasName && labels.every((label) => label.length <= MAX_LABEL && LABEL.test(label));
}

/** The start of an address on the web; other schemes, such as `javascript:`, are no links to follow. */
const WEB_ADDRESS = /^https?:\/\/[^/?#\\]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the parser of URLs would drop or encode them in silence
const UNWRITTEN = /[\s\\<>"\u0000-\u001f\u007f]/;

export function isUrl(text: string): boolean {
  return WEB_ADDRESS.test(text) && !UNWRITTEN.test(text) && URL.canParse(text);
}
