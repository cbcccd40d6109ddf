// The wish that a long-running command ends: Ctrl-C, or SIGTERM from whoever runs the process.

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export interface StopRequest {
  /** The first signal, when it comes. */
  readonly signal: Promise<NodeJS.Signals>;
  /** Signals do again what they do without us. */
  forget(): void;
}

/** On Ctrl-C, npm passes on the signal that the terminal has sent to all its processes already: that is one wish. */
const SAME_WISH_MS = 500;

/**
 * To be called first of all: the first process of a container does not even hear a signal that it has no listener
 * for. The second signal ends the process at once, whatever it is doing.
 */
export function listenForStop(): StopRequest {
  let askedAt: number | undefined;
  let listener: (name: (typeof SIGNALS)[number]) => void = () => {};
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    listener = (name) => {
      if (askedAt !== undefined && performance.now() - askedAt > SAME_WISH_MS) process.exit(CODES[name]);
      askedAt ??= performance.now();
      resolve(name);
    };
  });
  for (const name of SIGNALS) process.on(name, listener);
  return {
    signal,
    forget: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
