// Reading from a git repository: revisions, the files of a folder in one, their contents. Nothing is written, the work
// tree is not looked at, and nothing is fetched.

import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import { findNearest } from "@stoa/definition";
import { EXIT, Failure } from "./failure.js";

export interface GitFile {
  /** From the folder that was asked for. */
  readonly path: string;
  readonly object: string;
  readonly isLink: boolean;
}

const ENVIRONMENT = {
  // What git says is looked at, so it must be in one language.
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
};

const MOST_BYTES = 1024 ** 3;

type Asked = { readonly ok: true; readonly output: Buffer } | { readonly ok: false; readonly said: string };

function ask(cwd: string, args: readonly string[], input?: string): Asked {
  try {
    const output = execFileSync("git", args, {
      ...{ cwd, maxBuffer: MOST_BYTES, stdio: "pipe", env: { ...process.env, ...ENVIRONMENT } },
      ...(input === undefined ? {} : { input }),
    });
    return { ok: true, output };
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    if (code === "ENOENT") {
      throw new Failure("Revisions are read with git, and there is no git here.", {
        hint: "install git, or compare folders or definition.json files",
        exitCode: EXIT.environment,
      });
    }
    return { ok: false, said: String(stderr ?? "").trim() };
  }
}

function mustAsk(cwd: string, args: readonly string[], input?: string): Buffer {
  const asked = ask(cwd, args, input);
  if (asked.ok) return asked.output;
  throw new Failure(`git ${args[0]} did not work: ${firstLine(asked.said) || "it does not say why"}`, {
    hint: "see whether git works here: git status",
    exitCode: EXIT.environment,
  });
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/^(fatal|error): /, "");
}

function textOf(asked: Asked): string {
  return asked.ok ? asked.output.toString("utf8").trim() : "";
}

/** Whether the folder is in a repository that knows the name. */
export function isRevision(cwd: string, name: string): boolean {
  return !name.startsWith("-") && commitOf(cwd, name) !== "";
}

function commitOf(cwd: string, name: string): string {
  return textOf(ask(cwd, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]));
}

/** The commit that a name stands for. */
export function findCommit(cwd: string, name: string): string {
  const commit = commitOf(cwd, name);
  if (commit !== "") return commit;
  const repository = ask(cwd, ["rev-parse", "--git-dir"]);
  if (!repository.ok) throw noRepository(name, repository.said);
  throw unknownRevision(cwd, name);
}

function noRepository(name: string, said: string): Failure {
  const isNone = said.includes("not a git repository");
  const why = isNone
    ? "this folder is not in a git repository"
    : `git cannot use its repository: ${firstLine(said)}`;
  return new Failure(`There is no file or folder ${name}, and ${why}.`, {
    hint: "name a folder with sources, a definition.json, or run it inside the repository",
  });
}

function unknownRevision(cwd: string, name: string): Failure {
  const range = /^(.+?)\.{2,3}(.+)$/.exec(name);
  const refs = ["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"];
  const known = textOf(ask(cwd, refs)).split("\n").filter(Boolean);
  return new Failure(`There is no file or folder ${name}, and no such revision in this git repository.`, {
    hint: range
      ? `name the two versions one by one: stoa diff ${range[1]} ${range[2]}`
      : adviceOn(cwd, name, known),
  });
}

function adviceOn(cwd: string, name: string, known: readonly string[]): string {
  const remote = known.find((each) => each.endsWith(`/${name}`));
  const nearest = remote ?? findNearest(name, known);
  if (nearest !== null && nearest !== undefined) return `did you mean ${nearest}?`;
  if (textOf(ask(cwd, ["rev-parse", "--is-shallow-repository"])) === "true") {
    return "only a part of the history is here: fetch the rest first (git fetch --unshallow; in GitHub Actions, fetch-depth: 0)";
  }
  const some = known.slice(0, 8).join(", ");
  return known.length === 0
    ? "there are no branches and tags yet: commit something first"
    : `there are: ${some}`;
}

/** The folder as the repository calls it: empty for its top, else `examples/shop`. */
export function folderInRepository(cwd: string): string {
  return textOf(ask(cwd, ["rev-parse", "--show-prefix"])).replace(/\/$/, "");
}

/** `path` from the top of the repository, as in `main:path`; with `./` or `../` in front, from the present folder. */
export function pathInRepository(cwd: string, path: string): string {
  const isRelative = /^\.\.?(\/|$)/.test(path);
  const full = posix.normalize(posix.join("/", isRelative ? folderInRepository(cwd) : "", path));
  return full.slice(1).replace(/\/$/, "");
}

export function kindInCommit(cwd: string, commit: string, path: string): "file" | "folder" | "nothing" {
  const kind = textOf(ask(cwd, ["cat-file", "-t", `${commit}:${path}`]));
  return kind === "blob" ? "file" : kind === "tree" ? "folder" : "nothing";
}

/** All files below a folder. */
export function listFiles(cwd: string, commit: string, folder: string): GitFile[] {
  const output = mustAsk(cwd, ["ls-tree", "-r", "-z", "--full-tree", `${commit}:${folder}`]).toString("utf8");
  return output.split("\0").flatMap((line) => {
    const [, mode, type, object = "", path = ""] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return type === "blob" ? [{ path, object, isLink: mode === "120000" }] : [];
  });
}

export function readFileAt(cwd: string, commit: string, path: string): Buffer {
  return mustAsk(cwd, ["cat-file", "blob", `${commit}:${path}`]);
}

/** The contents of objects, in one go and in their order. */
export function readObjects(cwd: string, objects: readonly string[]): Buffer[] {
  if (objects.length === 0) return [];
  const output = mustAsk(cwd, ["cat-file", "--batch"], `${objects.join("\n")}\n`);
  const contents: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf("\n", start);
    const size = Number(output.toString("utf8", start, end).split(" ")[2]);
    if (!Number.isInteger(size))
      throw new Failure("A file of the revision is not in this repository.", {
        hint: "the repository was cloned in part: fetch the rest first (git fetch --refetch)",
      });
    contents.push(output.subarray(end + 1, end + 1 + size));
    start = end + 1 + size + 1;
  }
  return contents;
}
