// Runs all tests on a current build, and ends with one line of numbers that people and scripts can read.
// Arguments are handed to vitest: `npm test -- packages/compiler -t "a name"`.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap, runNode } from "./bootstrap.mjs";
import { installBrowserInCi } from "./browser.mjs";

await bootstrap();
installBrowserInCi();
const folder = mkdtempSync(join(tmpdir(), "stoa-test-"));
const report = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const { status } = runNode(["node_modules/vitest/vitest.mjs", "run", ...reporters, ...process.argv.slice(2)]);
const { passed, failed } = countTests(report);
rmSync(folder, { recursive: true, force: true });

process.exitCode = status ?? 1;
// A run that failed as a whole, with no test to blame, counts as one failure.
console.log(`${passed} passed, ${status === 0 ? failed : Math.max(failed, 1)} failed`);

/**
 * A test file that could not be loaded has no failed tests, so it counts as one.
 * @param {string} path
 */
function countTests(path) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
    /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
    const files = testResults;
    const unloaded = files.filter(
      (file) =>
        file.status === "failed" && !file.assertionResults.some((result) => result.status === "failed"),
    );
    return { passed: Number(numPassedTests), failed: Number(numFailedTests) + unloaded.length };
  } catch {
    console.log("vitest left no report.");
    return { passed: 0, failed: 0 };
  }
}
