// Bar codes of the kind EAN-13.

import type { HasCheckDigitAssert } from "../.stoa/build/hooks.js";

/** Digits count once and three times in turn; the last one makes the sum a multiple of ten. */
export const hasCheckDigit: HasCheckDigitAssert = ({ ean }) => {
  const sum = [...ean].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
};
