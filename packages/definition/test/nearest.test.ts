import { expect, test } from "vitest";
import { findNearest } from "../src/nearest.js";

test.each([
  ["nmae", ["type", "name", "names"], "name"],
  ["Autor", ["Book", "Author"], "Author"],
  ["ondelete", ["onDelete"], "onDelete"],
  ["at", ["to", "was", "as"], "as"],
  ["x", ["y"], null],
  ["color", ["kind", "name"], null],
  ["", ["a"], null],
  ["toString", [], null],
])("%s in %j", (wrong, known, nearest) => {
  expect(findNearest(wrong, known)).toBe(nearest);
});
