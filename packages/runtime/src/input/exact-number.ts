// Numbers as they were written, without the detour over a double. JSON has one kind of number: `1.0` and `1e2` are
// the integers 1 and 100.

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any decimal may have; also how many zeros `1e999` can be asked to write out. */
export const MAX_DIGITS = 1000;

/** The digits of an integer; `fraction` when the number is none; `huge` when it has too many digits. */
export function integerDigits(text: string): string | "fraction" | "huge" {
  const match = PARTS.exec(text);
  if (match === null) return "fraction";
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const written = (whole + fraction).replace(/^0+/, "");
  const digits = withoutTrailingZeros(written);
  if (digits === "") return "0";
  // How many digits come after the point, or zeros before it where negative.
  const scale = fraction.length - Number(exponent) - (written.length - digits.length);
  if (scale > 0) return "fraction";
  return digits.length - scale > MAX_DIGITS ? "huge" : `${sign}${digits}${"0".repeat(-scale)}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** Whether a number has a digit other than zero before its exponent. */
export function hasDigits(text: string): boolean {
  return /^-?[0.]*[1-9]/.test(text);
}
