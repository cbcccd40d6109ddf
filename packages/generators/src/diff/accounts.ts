// Accounts: how users show who they are, and what the addresses of the auth block take and answer.

import { type Definition, type FieldMember, type Jwt, printType } from "@stoa/definition";
import { loginFields } from "../outline/login.js";
import type { Finding } from "./change.js";
import * as say from "./endpoint-messages.js";
import type { Renames } from "./renames.js";

export function compareAccounts(before: Definition, after: Definition, renames: Renames): Finding[] {
  const [old, now] = [before.auth, after.auth];
  if (old === null || now === null) {
    if (old === now) return [];
    return [now === null ? say.authRemoved() : say.authAdded()];
  }
  const model =
    renames.modelBefore(now.model) === old.model
      ? []
      : [
          say.authChanged(
            `users are records of ${now.model} instead of ${old.model}`,
            "accounts of the old model are no accounts any more",
            `users with an account of ${old.model}`,
          ),
        ];
  return [...model, ...comparePasswords(before, after), ...compareTokens(old.jwt, now.jwt)];
}

function comparePasswords(before: Definition, after: Definition): Finding[] {
  const [old, now] = [before.auth?.password ?? null, after.auth?.password ?? null];
  if (old === null && now === null) return [];
  if (old === null)
    return [say.authExtended("users can log in with a password", "`POST /api/auth/login` is new")];
  if (now === null) {
    return [
      say.authChanged(
        "users can no longer log in with a password",
        "`/api/auth/login`, `/api/auth/logout` and `/api/auth/me` are answered with 404 now",
        "users with a password",
      ),
    ];
  }
  const fields =
    before.auth && after.auth ? [loginFields(before, before.auth), loginFields(after, after.auth)] : [];
  return (fields[1] ?? []).flatMap((field, index) => compareLoginField(fields[0]?.[index], field));
}

function compareLoginField(before: FieldMember | undefined, after: FieldMember): Finding[] {
  if (before === undefined) return [];
  if (before.name !== after.name) {
    return [
      say.authChanged(
        `login takes \`${after.name}\` instead of \`${before.name}\``,
        "the old name is answered with 400",
        `clients that log in with \`${before.name}\``,
      ),
    ];
  }
  const [old, now] = [printType(before.type), printType(after.type)];
  if (old === now) return [];
  return [
    say.authChanged(
      `login takes ${now} for \`${after.name}\` instead of ${old}`,
      "other values are answered with 400",
      "clients that log in",
    ),
  ];
}

const CLAIMS: readonly (keyof Jwt)[] = ["issuer", "audience", "subject"];

function compareTokens(before: Jwt | null, after: Jwt | null): Finding[] {
  if (before === null && after === null) return [];
  if (before === null) return [say.authExtended("signed tokens are taken", "they were not looked at before")];
  if (after === null) {
    return [
      say.authChanged(
        "signed tokens are no longer taken",
        "they are answered with 401",
        "users with a signed token",
      ),
    ];
  }
  const claims = CLAIMS.filter((claim) => before[claim] !== after[claim]).map((claim) =>
    say.authChanged(
      `the ${claim} of signed tokens is \`${after[claim]}\` instead of \`${before[claim]}\``,
      "other tokens are answered with 401",
      "users with a token made for the old one",
    ),
  );
  const keys =
    before.jwks === after.jwks
      ? []
      : [
          say.authExtended(
            `keys of signed tokens are at \`${after.jwks}\``,
            "as long as the same keys are there",
          ),
        ];
  return [...claims, ...keys];
}
