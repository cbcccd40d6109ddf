// Why a server could not be started, in words for whoever starts it.

export class ListenError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, { hint, cause }: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "ListenError";
    this.hint = hint;
  }
}

export function explainListenError(cause: unknown, { port, host }: { port: number; host: string }): unknown {
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return new ListenError(`Port ${port} of ${host} is in use by another program.`, {
        hint: "End that program, or choose another port.",
        cause,
      });
    case "EACCES":
      return new ListenError(`This user may not listen on port ${port}.`, {
        hint: "Choose a port from 1024 on, or give the process the right to lower ones.",
        cause,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new ListenError(`${host} is not an address of this machine.`, {
        hint: "Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all its addresses.",
        cause,
      });
    case "ERR_SOCKET_BAD_PORT":
      return new ListenError(`${port} is not a port.`, {
        hint: "A port is a whole number from 0 to 65535; 0 takes any that is free.",
        cause,
      });
    default:
      return cause;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
