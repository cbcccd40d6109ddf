import { defineConfig } from "vitest/config";

// Workspace packages declare their TypeScript source under the condition `stoa-source`, so that tests run on
// what is being edited and never on a stale build. The other three are vite's defaults for Node, which this
// list replaces. `resolve.conditions` would not do: vitest takes those of the server side.
const conditions = ["stoa-source", "module", "node", "development|production"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    // The development machines have two cores; more workers only get in each other's way.
    maxWorkers: 2,
    // Tests are never about absolute times; a busy machine is no failure, a test that hangs is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/*.slow.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: ["packages/*/test/**/*.slow.test.ts", "test/**/*.slow.test.ts"],
          testTimeout: 600_000,
        },
      },
    ],
  },
});
