// What may be seen: passwords in URLs are never printed.

const MASK = "***";

/** A URL with its password masked; all of it where it cannot be told apart. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text.includes("://") ? MASK : text;
  const url = new URL(text);
  if (url.password !== "") url.password = MASK;
  for (const name of [...url.searchParams.keys()]) {
    if (/password|secret|token/i.test(name)) url.searchParams.set(name, MASK);
  }
  return url.href;
}

/** Any text: the passwords of the URLs in it are masked. A password may hold an @ that should have been encoded. */
export function maskSecrets(text: string): string {
  return text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"'`]*:)[^\s"'`]*@/gi, `$1${MASK}@`)
    .replace(/([?&](?:[a-z_]*password|[a-z_]*secret|[a-z_]*token)=)[^\s&"'`]+/gi, `$1${MASK}`);
}
