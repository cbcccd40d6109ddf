// The auth block: who the users are, and how they prove it.

import type { Auth, Jwt } from "@stoa/definition";
import { unknownMember, unknownModel } from "../diagnostics/messages/names.js";
import * as say from "../diagnostics/messages/program.js";
import { type MissingWord, missingProperties } from "../diagnostics/messages/syntax.js";
import type { FieldMember, Model } from "../resolve/program.js";
import {
  type AuthNode,
  isMissing,
  itemOf,
  type JwtNode,
  type Name,
  type PasswordNode,
} from "../syntax/tree.js";
import { type Check, modelOf } from "./context.js";

/** The model named by the auth block, before anything is checked; reported by `checkAuth`. */
export function authModel(nodes: readonly AuthNode[], models: ReadonlyMap<string, Model>): Check["auth"] {
  const [node] = nodes;
  if (!node) return undefined;
  const name = itemOf(node.body, "model")?.name.text;
  return { model: name !== undefined && models.has(name) ? name : undefined };
}

export function checkAuth(check: Check): Auth | null {
  const [node, ...others] = check.program.auths;
  if (!node) return null;
  for (const other of others) check.report(say.duplicateAuth(other.span, node.span));
  const model = checkModelName(check, node);
  const password = itemOf(node.body, "password");
  const jwt = itemOf(node.body, "jwt");
  if (!node.body.damaged) reportMissing(check, node);
  if (!model) return null;
  return {
    model: model.name,
    password: password ? checkPassword(check, password, model) : null,
    jwt: jwt ? checkJwt(check, jwt, model) : null,
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  };
}

function reportMissing(check: Check, node: AuthNode): void {
  const { body, span } = node;
  const missing: MissingWord[] = [];
  if (!itemOf(body, "model")) missing.push(["model", "model User"]);
  if (!itemOf(body, "password") && !itemOf(body, "jwt")) {
    missing.push(["password", "password { identify email, secret password }"]);
  }
  if (missing.length > 0) check.report(missingProperties(span, "An auth block", missing));
}

function checkModelName(check: Check, node: AuthNode): Model | undefined {
  const item = itemOf(node.body, "model");
  if (!item || isMissing(item.name)) return undefined;
  const model = modelOf(check, item.name.text);
  if (!model && !check.program.damaged) {
    check.report(unknownModel(item.name.span, item.name.text, [...check.program.models.keys()]));
  }
  return model;
}

/** A field of the model; undefined after a report. */
function fieldOf(check: Check, model: Model, name: Name | undefined): FieldMember | undefined {
  if (!name || isMissing(name)) return undefined;
  const member = model.members.get(name.text);
  if (member?.kind === "field") return member;
  if (member) check.report(say.authField(name.span, name.text, "a field", member.span));
  else if (!model.damaged) {
    const known = [...model.members.values()]
      .filter((candidate) => candidate.kind === "field")
      .map(({ name: text }) => text);
    check.report(unknownMember(name.span, name.text, { model: model.name, known, kind: "field" }));
  }
  return undefined;
}

function uniqueField(check: Check, model: Model, name: Name | undefined): FieldMember | undefined {
  const field = fieldOf(check, model, name);
  if (field && name && !field.unique)
    check.report(say.authField(name.span, name.text, "`unique`", field.span));
  else if (field && name && field.secret)
    check.report(say.authField(name.span, name.text, "a field that is not `secret`", field.span));
  return field;
}

function checkPassword(check: Check, { body, span }: PasswordNode, model: Model): Auth["password"] {
  const identify = itemOf(body, "identify");
  const secret = itemOf(body, "secret");
  const missing: MissingWord[] = [];
  if (!identify) missing.push(["identify", "identify email"]);
  if (!secret) missing.push(["secret", "secret password"]);
  if (missing.length > 0 && !body.damaged) check.report(missingProperties(span, "A password", missing));
  const identifyField = uniqueField(check, model, identify?.name);
  const secretField = fieldOf(check, model, secret?.name);
  if (secret && secretField) {
    if (!secretField.secret)
      check.report(say.authField(secret.name.span, secret.name.text, "`secret`", secretField.span));
    else if (secretField.type && secretField.type.kind !== "string") {
      check.report(say.authField(secret.name.span, secret.name.text, "a string", secretField.span));
    }
  }
  if (!identifyField || !secretField) return null;
  return { identify: identifyField.name, secret: secretField.name };
}

function checkJwt(check: Check, { body, span }: JwtNode, model: Model): Jwt | null {
  const issuer = itemOf(body, "issuer");
  const audience = itemOf(body, "audience");
  const jwks = itemOf(body, "jwks");
  const subject = itemOf(body, "subject");
  const missing: MissingWord[] = [];
  if (!issuer) missing.push(["issuer", 'issuer "https://login.example.com"']);
  if (!audience) missing.push(["audience", 'audience "shop"']);
  if (!jwks) missing.push(["jwks", 'jwks "https://login.example.com/.well-known/jwks.json"']);
  if (!subject) missing.push(["subject", "subject email"]);
  if (missing.length > 0 && !body.damaged) check.report(missingProperties(span, "A jwt", missing));
  const field = uniqueField(check, model, subject?.name);
  if (!issuer || !audience || !jwks || !field) return null;
  return {
    issuer: issuer.value.value,
    audience: audience.value.value,
    jwks: jwks.value.value,
    subject: field.name,
  };
}
