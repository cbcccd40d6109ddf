// A page in the user's browser, if there is one.

import { spawn } from "node:child_process";

/** Resolves to whether something could be started; what that then does is its own affair. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = commandFor(url);
  return new Promise((resolve) => {
    try {
      const child = spawn(command, args, { stdio: "ignore", detached: true });
      child.once("error", () => resolve(false));
      child.once("spawn", () => {
        child.unref();
        resolve(true);
      });
    } catch {
      resolve(false);
    }
  });
}

function commandFor(url: string): [string, ...string[]] {
  switch (process.platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      // `start` takes its first quoted argument for a title.
      return ["cmd", "/c", "start", '""', url];
    default:
      return ["xdg-open", url];
  }
}
