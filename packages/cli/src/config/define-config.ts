// What config files import from the package. Their types are written from the table of settings: `texts.ts`.

/** Gives back what it gets: it is there for its types. */
export function defineConfig(config: unknown): unknown {
  return config;
}
