// Loaded into a measured process: says at its end, on standard error, what it has used.

const { writeSync } = require("node:fs");

process.once("exit", () => {
  const { userCPUTime, maxRSS } = process.resourceUsage();
  writeSync(2, `\n${JSON.stringify({ userMs: userCPUTime / 1000, peakMb: maxRSS / 1024 })}`);
});
