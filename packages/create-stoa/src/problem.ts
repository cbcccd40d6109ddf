// What stands in the way of a new project, in words.

export class InitProblem extends Error {
  readonly hint: string;
  /** Files and folders that are there already. */
  readonly inTheWay: readonly string[];
  /** Whether the machine is to blame, and not what was asked for. */
  readonly isEnvironment: boolean;

  constructor(
    message: string,
    about: { hint: string; inTheWay?: readonly string[]; isEnvironment?: boolean; cause?: unknown },
  ) {
    super(message, { cause: about.cause });
    this.name = "InitProblem";
    this.hint = about.hint;
    this.inTheWay = about.inTheWay ?? [];
    this.isEnvironment = about.isEnvironment ?? false;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you are not allowed to write there",
  EPERM: "you are not allowed to write there",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "you have no space left there",
  ENOTDIR: "a part of the path is a file",
  ENOENT: "no folder can be made there",
  ENAMETOOLONG: "the name is too long",
};

/** An error of the file system; anything else as it was. */
export function cannotWrite(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new InitProblem(`${path} cannot be written: ${REASONS[code] ?? (error as Error).message}.`, {
    hint: "choose another folder, or mend that and try again",
    isEnvironment: true,
    cause: error,
  });
}
