// The settings of a configuration that are options of an application.

import type { ApplicationOptions } from "@stoa/runtime";
import type { Configuration } from "./config/configuration.js";

export function applicationSettings({
  root,
  settings,
}: Configuration): Pick<ApplicationOptions, "requestTimeoutMs" | "maxBodyBytes" | "auth"> {
  return {
    requestTimeoutMs: settings.requestTimeoutMs,
    maxBodyBytes: settings.maxBodyBytes,
    auth: {
      baseFolder: root,
      sessionTtlMs: settings["auth.sessionTtlMs"],
      trustProxy: settings.trustProxy,
      limits: {
        perAccount: settings["auth.loginsPerAccount"],
        perAddress: settings["auth.loginsPerAddress"],
        windowMs: settings["auth.loginWindowMs"],
      },
    },
  };
}
