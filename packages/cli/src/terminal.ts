// What goes to the terminal: colours only where they are seen.

import { fstatSync, writeSync } from "node:fs";
import type { Palette } from "@stoa/compiler";

function wantsColour(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return stream.isTTY === true && TERM !== "dumb";
}

function paint(open: number, close: number, isOn: boolean): (text: string) => string {
  return isOn ? (text) => `\u001b[${open}m${text}\u001b[${close}m` : (text) => text;
}

export function paletteFor(stream: {
  readonly isTTY?: boolean;
}): Palette & { readonly good: (text: string) => string } {
  const isOn = wantsColour(stream);
  const bold = paint(1, 22, isOn);
  const red = paint(31, 39, isOn);
  const yellow = paint(33, 39, isOn);
  return {
    error: (text) => bold(red(text)),
    warning: (text) => bold(yellow(text)),
    note: paint(36, 39, isOn),
    faint: paint(2, 22, isOn),
    strong: bold,
    good: paint(32, 39, isOn),
  };
}

const STDOUT = 1;

/** Standard output, to be asked about before Node has made a stream of it, which takes as long as a small check. */
export const standardOutput = {
  get isTTY(): boolean {
    try {
      return fstatSync(STDOUT).isCharacterDevice() && process.stdout.isTTY === true;
    } catch {
      return false;
    }
  },
};

let isSlow = false;

/** A reader that has seen enough, such as `head`, is no failure. */
export function leaveWithReader({ code }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit();
}

export function print(text: string): void {
  printRaw(`${text}\n`);
}

/** At once, as long as the reader keeps up; from then on through Node's stream, which waits for it. */
export function printRaw(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (!isSlow && rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
  } catch (error) {
    leaveWithReader(error as NodeJS.ErrnoException);
    if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", leaveWithReader);
    isSlow = true;
  }
  if (rest.length > 0) process.stdout.write(rest);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
