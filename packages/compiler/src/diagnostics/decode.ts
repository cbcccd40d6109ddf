// Bytes of a file → its text.

import type { Diagnostic } from "./diagnostic.js";
import { notUtf8 } from "./messages/syntax.js";

export interface Decoded {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bytes that are not UTF-8 are reported once, and stand as U+FFFD in the text. */
export function decodeSource(file: string, bytes: Uint8Array): Decoded {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!text.includes("\u{FFFD}") || isUtf8(bytes)) return { text, diagnostics: [] };
  const start = validPrefix(bytes);
  return { text, diagnostics: [notUtf8({ file, start, end: start + 1 })] };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Length, in the decoded text, of the longest beginning that is UTF-8. */
function validPrefix(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  const decodes = (length: number): string | undefined => {
    try {
      // A character cut off at the end is no fault of the prefix.
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length), {
        stream: true,
      });
    } catch {
      return undefined;
    }
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decodes(middle) === undefined) high = middle - 1;
    else low = middle;
  }
  return decodes(low)?.length ?? 0;
}
