// What users log in with.

import type { Auth, Definition, FieldMember } from "@stoa/definition";

/** The field that identifies users and the one with their secret. */
export function loginFields({ models }: Definition, { model, password }: Auth): FieldMember[] {
  const members = models.find(({ name }) => name === model)?.members ?? [];
  return [password?.identify, password?.secret].flatMap((name) =>
    members.filter((member): member is FieldMember => member.kind === "field" && member.name === name),
  );
}
