// The client of an application with 200 models: how large it is, and what it costs the TypeScript compiler.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { compile } from "@stoa/compiler";
import { writeClient, writeOpenApi } from "@stoa/generators";
import { transformSync } from "esbuild";

const MODELS = 200;

/** @param {number} index */
function modelOf(index) {
  const next = (index + 1) % MODELS;
  return `model M${index} {
  field name { type string, validate { minLength(2) and maxLength(80) } }
  field slug { type string, unique, validate { matches("^[a-z-]+$") } }
  field price { type decimal(10, 2), nullable }
  field amount { type integer, default 0, validate { min(0) } }
  field day { type date, nullable }
  reference next { to M${next}, nullable, on delete set null }
  relation previous { from M${(index + MODELS - 1) % MODELS}, through next }
  timestamps
}
`;
}

/** @param {number} index */
function entrypointOf(index) {
  return `entrypoint M${index} as m${index} {
    identify { through slug }
    response { *, next { name, slug } }
    list endpoint { paginable }
    get endpoint {}
    create endpoint {}
    update endpoint {}
    delete endpoint {}
    entrypoint previous { list endpoint {} create endpoint {} }
  }
`;
}

const indexes = Array.from({ length: MODELS }, (_, index) => index);
const text = `${indexes.map(modelOf).join("\n")}\napi {\n${indexes.map(entrypointOf).join("\n")}}\n`;
const { definition, diagnostics } = compile([{ name: "large.stoa", text }]);
if (definition === undefined) throw new Error(diagnostics[0]?.message);

const [client] = writeClient(definition, { target: "ts" });
const [script] = writeClient(definition, { target: "js" });
const folder = mkdtempSync(join(tmpdir(), "stoa-bench-"));
writeFileSync(join(folder, "client.ts"), client?.text ?? "");
const use = indexes.map(
  (index) => `await client.m${index}("a").update({ name: (await client.m${index}("a").get()).name });`,
);
writeFileSync(
  join(folder, "use.ts"),
  `import { createClient } from "./client.js";\nconst client = createClient();\n${use.join("\n")}\n`,
);
const options = {
  strict: true,
  target: "ES2022",
  module: "ESNext",
  moduleResolution: "bundler",
  lib: ["ES2022", "DOM"],
  types: [],
  noEmit: true,
};
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
const tsc = new URL("../node_modules/typescript/bin/tsc", import.meta.url).pathname;
const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--extendedDiagnostics"], {
  encoding: "utf8",
});
rmSync(folder, { recursive: true, force: true });

const minified = transformSync(script?.text ?? "", { minify: true, format: "esm" }).code;
const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
console.log(`${MODELS} models, ${MODELS * 7} endpoints`);
console.log(
  `client.ts ${kb(Buffer.byteLength(client?.text ?? ""))}; JavaScript minified ${kb(minified.length)}, gzip ${kb(gzipSync(minified).length)}`,
);
console.log(`openapi.json ${kb(Buffer.byteLength(writeOpenApi(definition)))}`);
console.log(
  stdout
    .split("\n")
    .filter((line) => /error|Types|Memory used|Check time|Total time|Lines of/.test(line))
    .join("\n"),
);
