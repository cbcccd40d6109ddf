// Tells when files of a project change. One watch per folder on every system: Node's own way to watch a whole tree
// watches every single file on Linux, those of packages too, and hears nothing of one that was replaced by another.
// Where watches are not to be had, the files are looked at every now and then.

import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSkippedFolder } from "../sources.js";

export interface WatchOptions {
  readonly root: string;
  /** With the whole path of a file that was made, changed, moved or removed. */
  readonly onChange: (path: string) => void;
  /** Told, in words, once, when changes can only be found by looking. */
  readonly onProblem: (message: string) => void;
  /** Looks at the files even where watches are to be had: mounts of other machines send no events. */
  readonly isPolling?: boolean;
}

export interface ProjectWatch {
  /** Files elsewhere that belong to the project, in the place of those before. */
  include(paths: Iterable<string>): void;
  /** Looks for folders that are not watched yet. */
  refresh(): void;
  close(): void;
}

const POLL_MS = 300;

/** Sources, modules of hooks and what they may import, settings. */
const RELEVANT = /\.(stoa|[cm]?[jt]sx?|json|txt)$|^\.env(\.|$)/;

export function isRelevantFile(name: string): boolean {
  return RELEVANT.test(name) && name !== ".stoa";
}

export function watchProject(options: WatchOptions): ProjectWatch {
  return new FolderWatches(options);
}

class FolderWatches implements ProjectWatch {
  readonly #options: WatchOptions;
  readonly #watches = new Map<string, FSWatcher>();
  /** Files outside of the root, by their folders. */
  #included = new Map<string, Set<string>>();
  #poll: FilePoll | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    if (options.isPolling) this.#startPolling();
    else this.#addFolder(options.root, false);
  }

  include(paths: Iterable<string>): void {
    const folders = new Map<string, Set<string>>();
    for (const path of paths) {
      if (this.#isInside(path)) continue;
      folders.set(dirname(path), (folders.get(dirname(path)) ?? new Set()).add(basename(path)));
    }
    const before = this.#included;
    this.#included = folders;
    for (const folder of before.keys()) if (!folders.has(folder)) this.#remove(folder);
    for (const folder of folders.keys()) this.#watch(folder);
    this.#poll?.refresh();
  }

  refresh(): void {
    if (this.#poll === undefined) this.#addFolder(this.#options.root, false);
  }

  close(): void {
    for (const folder of [...this.#watches.keys()]) this.#remove(folder);
    this.#poll?.close();
  }

  /** `isNew`: files may have come before the watch did. */
  #addFolder(folder: string, isNew: boolean): void {
    this.#watch(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!isSkippedFolder(entry.name)) this.#addFolder(path, isNew);
      } else if (isNew) this.#tell(path);
    }
  }

  #watch(folder: string): void {
    if (this.#watches.has(folder) || this.#poll !== undefined) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#onEvent(folder, name));
      this.#watches.set(folder, watcher);
      watcher.on("error", () => this.#remove(folder));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // It has gone again.
      if (code === "ENOENT" || code === "ENOTDIR") return;
      this.#options.onProblem(
        `files cannot be watched (${code ?? String(error)}), so they are looked at every ${POLL_MS} ms${adviceOf(code)}`,
      );
      this.#startPolling();
    }
  }

  #onEvent(folder: string, name: string | null): void {
    // Nobody says what it was.
    if (name === null) return this.#addFolder(folder, true);
    const path = join(folder, name);
    if (this.#included.get(folder)?.has(name)) return this.#options.onChange(path);
    if (!this.#isInside(path)) return;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      if (!isSkippedFolder(name) && !this.#watches.has(path)) this.#addFolder(path, true);
      return;
    }
    if (found === undefined) this.#forgetFolder(path);
    this.#tell(path);
  }

  /** What was a folder is gone: so is all that was in it. */
  #forgetFolder(path: string): void {
    const below = [...this.#watches.keys()].filter(
      (each) => each === path || each.startsWith(join(path, "/")),
    );
    if (below.length === 0) return;
    for (const folder of below) this.#remove(folder);
    this.#options.onChange(path);
  }

  #tell(path: string): void {
    if (isRelevantFile(basename(path))) this.#options.onChange(path);
  }

  #isInside(path: string): boolean {
    return path.startsWith(join(this.#options.root, "/"));
  }

  #remove(folder: string): void {
    const watcher = this.#watches.get(folder);
    this.#watches.delete(folder);
    watcher?.close();
  }

  #startPolling(): void {
    for (const folder of [...this.#watches.keys()]) this.#remove(folder);
    const included = () =>
      [...this.#included].flatMap(([folder, names]) => [...names].map((name) => join(folder, name)));
    this.#poll ??= new FilePoll(this.#options, included);
  }
}

function adviceOf(code: string | undefined): string {
  if (code === "ENOSPC") return ": the system allows no more watches (fs.inotify.max_user_watches)";
  return code === "EMFILE" ? ": too many files are open (fs.inotify.max_user_instances, ulimit -n)" : "";
}

/** Compares dates and sizes. */
class FilePoll {
  readonly #options: WatchOptions;
  readonly #included: () => readonly string[];
  readonly #timer: NodeJS.Timeout;
  #known: ReadonlyMap<string, string>;

  constructor(options: WatchOptions, included: () => readonly string[]) {
    this.#options = options;
    this.#included = included;
    this.#known = this.#look();
    this.#timer = setInterval(() => this.#compare(), POLL_MS).unref();
  }

  /** Files that are included from now on have not changed, and neither have those that are not any more. */
  refresh(): void {
    const inside = [...this.#known].filter(([path]) => path.startsWith(join(this.#options.root, "/")));
    const outside = this.#included().map((path): [string, string] => [path, stampOf(path) ?? ""]);
    this.#known = new Map([...inside, ...outside]);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #compare(): void {
    const before = this.#known;
    this.#known = this.#look();
    for (const [path, stamp] of this.#known) {
      if (before.get(path) !== stamp) this.#options.onChange(path);
    }
    for (const path of before.keys()) if (!this.#known.has(path)) this.#options.onChange(path);
  }

  #look(): ReadonlyMap<string, string> {
    const stamps = new Map<string, string>();
    const add = (path: string): void => {
      const stamp = stampOf(path);
      if (stamp !== undefined) stamps.set(path, stamp);
    };
    const walk = (folder: string): void => {
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) {
          if (isRelevantFile(entry.name)) add(path);
        } else if (!isSkippedFolder(entry.name)) walk(path);
      }
    };
    walk(this.#options.root);
    for (const path of this.#included()) add(path);
    return stamps;
  }
}

function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
