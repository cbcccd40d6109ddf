// The one command that checks everything short of running tests. All steps run even if one fails, so that
// one run shows everything there is to repair.

import { ensureInstalled, runNode } from "./bootstrap.mjs";

const biome = ["ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."];

const STEPS = [
  { name: "types", command: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  { name: "lint and format", command: ["node_modules/@biomejs/biome/bin/biome", ...biome] },
  { name: "architecture", command: ["tools/architecture.mjs"] },
];

await ensureInstalled();
const failed = STEPS.filter(({ name, command }) => {
  const startedAt = performance.now();
  console.log(`── ${name}`);
  const { status } = runNode(command);
  console.log(
    `${name}: ${status === 0 ? "ok" : "failed"} (${Math.round(performance.now() - startedAt)} ms)\n`,
  );
  return status !== 0;
});
if (failed.length > 0) console.log(`Failed: ${failed.map(({ name }) => name).join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
