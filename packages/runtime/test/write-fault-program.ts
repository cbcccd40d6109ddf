// An application in a process of its own, which a test can kill at any moment. Takes a file with a definition and the
// address of a database; says its port, and when code has begun to wait for ever.

import { readFileSync } from "node:fs";
import { connect } from "@stoa/database";
import { createApplication, createHooks } from "../src/index.js";

const [file = "", url = ""] = process.argv.slice(2);
const definition = JSON.parse(readFileSync(file, "utf8"));
const hooks = createHooks(definition, {
  hooks: {
    "h.ts#pass": ({ text }: { text: string }) => {
      if (!text.startsWith("wait")) return null;
      console.log("waiting");
      return new Promise(() => {});
    },
  },
});
const application = createApplication({ definition, database: connect({ url }), hooks });
const { port } = await application.listen({ port: 0, host: "127.0.0.1" });
console.log(`port ${port}`);
