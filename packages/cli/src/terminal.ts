// What goes to the terminal: colours only where they are seen.

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

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
