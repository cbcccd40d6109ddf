// The architecture as rules that a machine checks: imports point one way, the core stays pure, nothing grows
// without limit. The tables come first and are the part to read and to change; every rule is a function from
// a map of files (path → text) to violations, so that tests need no disk.
//
//   node tools/architecture.mjs                     check
//   node tools/architecture.mjs --update            tighten tools/length-ratchet.json
//   node tools/architecture.mjs --update --accept   take present lengths, longer ones too; then give reasons

import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkLengths, RATCHET_PATH, updateRatchet } from "./length-ratchet.mjs";
import { blankNonCode, findImports, lineIndex } from "./source-scan.mjs";

/** @typedef {{ path: string, line: number, rule: string, message: string }} Violation */
/** @typedef {Map<string, string>} Files From paths relative to the repository root to texts. */
/** @typedef {{ path: string, package: string, specifier: string, line: number, target?: string }} Import */

/**
 * Which packages a package may import. The folder is the key; the runtime never sees the compiler.
 * @type {Record<string, string[]>}
 */
const PACKAGE_IMPORTS = {
  definition: [],
  compiler: ["definition"],
  database: ["definition"],
  generators: ["definition"],
  runtime: ["definition", "database", "generators"],
  "language-server": ["compiler", "definition"],
  cli: ["definition", "compiler", "database", "generators", "runtime", "language-server", "create-stoa"],
  "create-stoa": [],
};

/**
 * npm names that are not `@stoa/<folder>`.
 * @type {Record<string, string>}
 */
const NPM_NAMES = { cli: "stoa", "create-stoa": "create-stoa" };

/**
 * Which folders of src a folder may import, from left to right. Entry files may import everything and are
 * imported by nothing but each other; other files directly in src are leaves that everyone may import.
 * `below` are folders that even leaves may import.
 * @type {Record<string, { folders: Record<string, string[]>, entries: string[], below?: string[] }>}
 */
const FOLDER_IMPORTS = {
  compiler: {
    folders: {
      diagnostics: [],
      syntax: ["diagnostics"],
      resolve: ["diagnostics", "syntax"],
      check: ["diagnostics", "syntax", "resolve"],
      lower: ["diagnostics", "syntax", "resolve", "check"],
      format: ["diagnostics", "syntax"],
    },
    entries: ["compile.ts", "index.ts"],
  },
  database: {
    folders: {
      connection: [],
      embedded: ["connection"],
      schema: ["connection"],
      populate: ["connection", "schema"],
      migrate: ["connection", "embedded", "schema"],
    },
    entries: ["index.ts"],
  },
  generators: {
    folders: {
      outline: [],
      openapi: ["outline"],
      client: ["outline"],
      diff: ["outline", "openapi"],
    },
    entries: ["index.ts"],
  },
  runtime: {
    folders: {
      sql: [],
      plan: ["sql"],
      input: [],
      http: [],
      run: ["sql", "plan", "input", "http"],
      auth: ["sql", "plan", "input", "http", "run"],
      explain: ["input", "sql", "plan"],
      docs: ["http"],
    },
    entries: ["application.ts", "index.ts"],
  },
  cli: {
    folders: {
      config: [],
      completions: ["config"],
      dev: ["config"],
      commands: ["config", "completions", "dev"],
    },
    entries: ["main.ts"],
    below: ["config"],
  },
};

/** Packages that run anywhere and give the same output for the same input. */
const PURE_PACKAGES = ["definition", "compiler"];
const IMPURE = /(?<![.\w$])(?:process\.|console\.|Buffer\.|Date\.now|new Date\(|Math\.random)/g;

/** Packages that carry their dependencies inside their bundle, and so list them as devDependencies. */
const BUNDLED_PACKAGES = ["cli"];

/** @param {Files} files @returns {Violation[]} */
export function checkPackageDirection(files) {
  return readImports(files).flatMap((item) => {
    const allowed = PACKAGE_IMPORTS[item.package];
    if (allowed === undefined) {
      return violation(
        item,
        "package-direction",
        `package ${item.package} is not in the table; add it there`,
      );
    }
    const imported = folderOfPackage(packageName(item.specifier));
    if (imported === undefined || allowed.includes(imported)) return [];
    const advice =
      imported === item.package
        ? "a package imports its own files by relative paths"
        : `${item.package} may import ${allowed.join(", ") || "no other package"}; move the code or pass the value in`;
    return violation(item, "package-direction", `${item.package} imports ${item.specifier}; ${advice}`);
  });
}

/** @param {Files} files @returns {Violation[]} */
export function checkFolderDirection(files) {
  return readImports(files).flatMap((item) => {
    const rules = FOLDER_IMPORTS[item.package];
    if (rules === undefined || !item.target?.startsWith(`packages/${item.package}/src/`)) return [];
    const from = placeInSource(item.path, rules.entries);
    const to = placeInSource(item.target, rules.entries);
    if (from === "entry" || to === "leaf" || from === to) return [];
    if (from !== "leaf" && rules.folders[from] === undefined) {
      return violation(item, "folder-direction", `folder ${from} is not in the table; add it there`);
    }
    const allowed = from === "leaf" ? (rules.below ?? []) : (rules.folders[from] ?? []);
    if (allowed.includes(to)) return [];
    const who = from === "leaf" ? "a leaf file beside the entry files" : `folder ${from}`;
    const advice = `it may import ${["leaf files", ...allowed].join(", ")}; move the code to the left`;
    return violation(item, "folder-direction", `${who} imports ${to} (${item.specifier}); ${advice}`);
  });
}

/**
 * The folder of src a file is in, or "entry" or "leaf" for a file directly in src.
 * @param {string} path @param {string[]} entries
 */
function placeInSource(path, entries) {
  const [first = "", ...rest] = path.split("/").slice(3);
  if (rest.length > 0) return first;
  return entries.includes(first) ? "entry" : "leaf";
}

/** @param {Files} files @returns {Violation[]} */
export function checkCycles(files) {
  const imports = groupByPath(readImports(files));
  /** @type {Violation[]} */
  const violations = [];
  const done = new Set();
  /** @param {string} path @param {Import[]} trail */
  const visit = (path, trail) => {
    const start = trail.findIndex((item) => item.path === path);
    const first = trail[start];
    if (first !== undefined) {
      const cycle = [...trail.slice(start).map((item) => item.path), path].join(" → ");
      violations.push(...violation(first, "cycle", `${cycle}; move what they share into a file of its own`));
      return;
    }
    if (done.has(path)) return;
    for (const item of imports.get(path) ?? []) {
      if (item.target !== undefined) visit(item.target, [...trail, item]);
    }
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return violations;
}

/** @param {Import[]} imports */
function groupByPath(imports) {
  /** @type {Map<string, Import[]>} */
  const groups = new Map();
  for (const item of imports) groups.set(item.path, [...(groups.get(item.path) ?? []), item]);
  return groups;
}

/** @param {Files} files @returns {Violation[]} */
export function checkDeepImports(files) {
  return readImports(files).flatMap((item) => {
    if (item.target !== undefined) {
      if (item.target.startsWith(`packages/${item.package}/`)) return [];
      return violation(
        item,
        "deep-import",
        `${item.specifier} leaves the package; import the package by its name`,
      );
    }
    const name = packageName(item.specifier);
    const folder = folderOfPackage(name);
    if (folder === undefined || name === item.specifier) return [];
    const subpath = `.${item.specifier.slice(name.length)}`;
    if (Object.keys(readManifest(files, folder).exports ?? {}).includes(subpath)) return [];
    return violation(
      item,
      "deep-import",
      `${item.specifier} is not in the exports of ${name}; import ${name}`,
    );
  });
}

/** @param {Files} files @returns {Violation[]} */
export function checkPurity(files) {
  const imports = readImports(files)
    .filter((item) => PURE_PACKAGES.includes(item.package) && isBuiltin(item.specifier))
    .flatMap((item) =>
      violation(
        item,
        "purity",
        `${item.package} is pure and imports ${item.specifier}; do IO in the cli instead`,
      ),
    );
  const mentions = [...sourcesOf(files)].flatMap(([path, text]) => {
    if (!PURE_PACKAGES.includes(packageOf(path))) return [];
    const lineAt = lineIndex(text);
    return [...blankNonCode(text).matchAll(IMPURE)].flatMap((match) => {
      const message = `${packageOf(path)} is pure and mentions \`${match[0]}\`; take the value as a parameter`;
      return violation({ path, line: lineAt(match.index) }, "purity", message);
    });
  });
  return [...imports, ...mentions];
}

/** @param {Files} files @returns {Violation[]} */
export function checkDependencies(files) {
  return readImports(files).flatMap((item) => {
    if (item.target !== undefined || item.specifier.startsWith("node:")) return [];
    const name = packageName(item.specifier);
    const manifest = readManifest(files, item.package);
    const bundled = BUNDLED_PACKAGES.includes(item.package) ? manifest.devDependencies : {};
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...bundled };
    if (name in declared || folderOfPackage(name) === item.package) return [];
    const message = isBuiltin(name)
      ? `write node:${item.specifier}`
      : `${name} is not a dependency of ${item.package}; declare it in packages/${item.package}/package.json`;
    return violation(item, "dependency", message);
  });
}

/**
 * All rules at once, the violations of one file together.
 * @param {Files} files
 * @param {import("./length-ratchet.mjs").Ratchet} ratchet
 * @returns {Violation[]}
 */
export function checkArchitecture(files, ratchet) {
  const violations = [
    ...checkPackageDirection(files),
    ...checkFolderDirection(files),
    ...checkCycles(files),
    ...checkDeepImports(files),
    ...checkPurity(files),
    ...checkDependencies(files),
    ...checkLengths(sourcesOf(files), ratchet),
  ];
  return violations.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/**
 * @param {{ path: string, line: number }} place
 * @param {string} rule
 * @param {string} message
 * @returns {Violation[]}
 */
function violation({ path, line }, rule, message) {
  return [{ path, line, rule, message }];
}

/** @param {Files} files @returns {Files} The TypeScript sources of all packages, without tests. */
export function sourcesOf(files) {
  return new Map([...files].filter(([path]) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path)));
}

/** Imports per file map, because several rules read the same ones. @type {WeakMap<Files, Import[]>} */
const importsByFiles = new WeakMap();

/** @param {Files} files @returns {Import[]} */
function readImports(files) {
  const known = importsByFiles.get(files);
  if (known !== undefined) return known;
  const imports = [...sourcesOf(files)].flatMap(([path, text]) =>
    findImports(text).map((site) => ({
      ...site,
      path,
      package: packageOf(path),
      ...resolveTarget(path, site.specifier),
    })),
  );
  importsByFiles.set(files, imports);
  return imports;
}

/**
 * Relative imports name the emitted file (`./x.js`); the target is the source it comes from.
 * @param {string} path @param {string} specifier
 */
function resolveTarget(path, specifier) {
  if (!specifier.startsWith(".")) return {};
  return { target: posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts") };
}

/** @param {string} path */
function packageOf(path) {
  return path.split("/")[1] ?? "";
}

/** `@scope/name/sub` → `@scope/name`. @param {string} specifier */
function packageName(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** @param {string} npmName */
function folderOfPackage(npmName) {
  return Object.keys(PACKAGE_IMPORTS).find((folder) => (NPM_NAMES[folder] ?? `@stoa/${folder}`) === npmName);
}

/** @param {Files} files @param {string} folder @returns {Record<string, Record<string, unknown> | undefined>} */
function readManifest(files, folder) {
  return JSON.parse(files.get(`packages/${folder}/package.json`) ?? "{}");
}

/** @param {string} root @returns {Files} */
function readFiles(root) {
  const folders = readdirSync(resolve(root, "packages"));
  const paths = folders
    .filter((folder) => existsSync(resolve(root, "packages", folder, "src")))
    .flatMap((folder) => [
      `packages/${folder}/package.json`,
      ...readdirSync(resolve(root, "packages", folder, "src"), { recursive: true, encoding: "utf8" })
        .map((path) => `packages/${folder}/src/${path.replaceAll("\\", "/")}`)
        .filter((path) => path.endsWith(".ts")),
    ]);
  return new Map(paths.sort().map((path) => [path, readFileSync(resolve(root, path), "utf8")]));
}

/** @param {string[]} options @returns {number} The exit code. */
function main(options) {
  const root = resolve(fileURLToPath(import.meta.url), "../..");
  const files = readFiles(root);
  const ratchet = JSON.parse(readFileSync(resolve(root, RATCHET_PATH), "utf8"));
  if (options.includes("--update")) {
    const updated = updateRatchet(sourcesOf(files), ratchet, { accept: options.includes("--accept") });
    writeFileSync(resolve(root, RATCHET_PATH), `${JSON.stringify(updated, null, 2)}\n`);
    console.log(`${RATCHET_PATH}: ${Object.keys(updated).length} entries`);
    return 0;
  }
  const violations = checkArchitecture(files, ratchet);
  for (const { path, line, rule, message } of violations) console.log(`${path}:${line} ${rule}: ${message}`);
  const count = violations.length === 1 ? "1 violation" : `${violations.length} violations`;
  console.log(
    violations.length === 0 ? `architecture: ${sourcesOf(files).size} files, all rules hold` : count,
  );
  return violations.length === 0 ? 0 : 1;
}

const startedAs = process.argv[1];
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
