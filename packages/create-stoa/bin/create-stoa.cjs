#!/usr/bin/env node
// CommonJS, so that an old Node can read it far enough to say that it is old.
"use strict";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Stoa needs Node 20.19 or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  import("../dist/main.js").then(({ main }) => main(process.argv.slice(2)));
}
