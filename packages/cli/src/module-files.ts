// Which file a module is.

const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

/** The name of the built file may stand for its source, and the extension may be left out, as in imports. */
export function moduleFiles(path: string): string[] {
  const source = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  return [path, source, ...EXTENSIONS.map((extension) => path + extension)];
}
