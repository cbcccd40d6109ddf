// The guides work: their files are made, their requests sent, and the answers are those they show. That their other
// examples compile is seen to by reference.test.ts.

import { describe } from "vitest";
import { findPages, readPage } from "./walk/markdown.js";
import { walk } from "./walk/walk.js";

// It has a test of its own: test/database/migrate-cases.test.ts.
const ELSEWHERE = ["docs/guides/migrations.md"];

for (const path of findPages("docs/guides").filter((each) => !ELSEWHERE.includes(each))) {
  describe(path, () => walk(readPage(path)));
}
