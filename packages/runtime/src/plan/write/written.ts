// Which models an action writes.

import { type Action, modelOfType } from "@stoa/definition";

export function writtenModels(action: Action): string[] {
  switch (action.kind) {
    case "create": {
      const owner = action.link === null ? undefined : modelOfType(action.link.record.type);
      return owner === undefined ? [action.model] : [action.model, owner];
    }
    case "update":
    case "delete":
      return [action.model];
    case "query":
      return action.operation.kind === "select" ? [] : [action.query.model];
    default:
      return [];
  }
}
