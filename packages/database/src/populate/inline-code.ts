// `inline "<expression>"`: the one place where text of the program becomes JavaScript. The program is the user's
// own code, like the modules beside it, and runs with the same rights.

export type HookFunction<Context = HookContext> = (
  args: Readonly<Record<string, unknown>>,
  context: Context,
) => unknown;

/** What code gets beside its arguments. In a populator nobody is logged in. */
export interface HookContext {
  readonly auth: null;
  readonly signal: AbortSignal;
  /** What the caller adds, such as `log`. */
  readonly [name: string]: unknown;
}

/** The arguments by their names, and all of them as `args`. Throws a SyntaxError. */
export function compileInlineCode<Context = HookContext>(
  code: string,
  names: readonly string[],
): HookFunction<Context> {
  const usable = names.filter(isUsable);
  const parameters = [...new Set([...usable, "args", "ctx"])];
  // The line break ends a comment that the expression may end with.
  const run = new Function(...parameters, `"use strict"; return (${code}\n);`);
  return (args, context) =>
    run(...parameters.map((name) => (usable.includes(name) ? args[name] : name === "ctx" ? context : args)));
}

/** Names such as `class` are fine in the language, but no names in JavaScript; those are reached through `args`. */
function isUsable(name: string): boolean {
  try {
    new Function(name, '"use strict";');
    return true;
  } catch {
    return false;
  }
}
