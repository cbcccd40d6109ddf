// How much is downloaded and installed with each published package:
//
//   node tools/package-size.mjs

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { dependenciesOf, PUBLISHED, pack, readManifest } from "./packages.mjs";

await bootstrap();
const destination = mkdtempSync(join(tmpdir(), "stoa-packages-"));
try {
  for (const name of PUBLISHED) await tell(join(ROOT, "packages", name));
} finally {
  rmSync(destination, { recursive: true, force: true });
}

/** @param {string} folder */
async function tell(folder) {
  const { name, version, size, unpackedSize, files } = await pack(folder, destination);
  const others = dependenciesOf(folder).map((each) => {
    const { name, version } = readManifest(each);
    return { name, version, bytes: sizeBelow(each) };
  });
  console.log(`${name} ${version}: ${files.length} files`);
  console.log(`  packed     ${megabytes(size)}`);
  console.log(`  unpacked   ${megabytes(unpackedSize)}`);
  for (const other of others)
    console.log(`  brings     ${megabytes(other.bytes)}  ${other.name} ${other.version}`);
  const all = others.reduce((sum, { bytes }) => sum + bytes, unpackedSize);
  console.log(`  installed  ${megabytes(all)}\n`);
}

/** @param {string} folder @returns {number} */
function sizeBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return 0;
      return entry.isDirectory() ? sizeBelow(path) : statSync(path).size;
    })
    .reduce((sum, size) => sum + size, 0);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(2).padStart(7)} MB`;
}
