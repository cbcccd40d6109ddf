// Create and update: where each member's value comes from — the request, an expression, a hook, the context —
// and what of it the request must bring.

import type { Assignment, Expression, Hook, RequestField, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/actions.js";
import { cycle } from "../diagnostics/messages/expressions.js";
import { missingProperty } from "../diagnostics/messages/syntax.js";
import type { Model } from "../resolve/program.js";
import {
  type InputField,
  itemOf,
  type Name,
  type ReferenceInputNode,
  type SetNode,
  type WriteNode,
} from "../syntax/tree.js";
import { type Check, modelOf, typeOfMember } from "./context.js";
import { fitExpression } from "./fit.js";
import { checkHook } from "./hook.js";
import { checkUniquePath } from "./identify.js";
import { findWritable, isOptional, requestField, type WritableMember, writableMembers } from "./members.js";
import { checkFieldRule } from "./rule.js";
import { type Scope, scopeOfModel } from "./scope.js";

type ValueField = Extract<RequestField, { kind: "value" }>;

export interface WritePlace {
  readonly kind: "create" | "update";
  readonly model: Model;
  readonly scope: Scope;
  /** References that the context sets: name → the record they point at; null: they are kept as they are. */
  readonly fixed: ReadonlyMap<string, Expression | null>;
  /** References that the request cannot bring: a nested record is not moved to another parent by its client. */
  readonly noInput?: ReadonlySet<string>;
  /** Where inputs stand in the request: at the top, or under the alias of the action. */
  readonly prefix: readonly string[];
  readonly span: Span;
}

export interface CheckedWrite {
  readonly assignments: readonly Assignment[];
  readonly fields: readonly ValueField[];
  /** Where each field was asked for, for messages. */
  readonly spans: ReadonlyMap<string, Span>;
}

/** An action as written, or the default one. */
export function checkWrite(check: Check, node: WriteNode | undefined, place: WritePlace): CheckedWrite {
  const writer = new Writer(check, place);
  for (const item of node?.body.items ?? []) {
    if (item.kind === "set") writer.set(item);
    else if (item.kind === "input") for (const field of item.fields) writer.input(field);
    else if (item.kind === "reference") writer.lookup(item);
    else if (item.kind === "deny") for (const name of item.names) writer.deny(name);
  }
  const takesAll = node === undefined || node.body.items.some((item) => item.kind === "input-all");
  writer.takeRest(takesAll || place.kind === "create");
  return writer.finish(node?.body.damaged === true);
}

/** Collects the values of one action. */
class Writer {
  readonly #check: Check;
  readonly #place: WritePlace;
  readonly #assignments: Assignment[] = [];
  readonly #fields: ValueField[] = [];
  readonly #spans = new Map<string, Span>();
  readonly #mentioned = new Map<string, Span>();
  /** What is set, and the members of the record itself that its value is made of. */
  readonly #sets: { readonly name: string; readonly span: Span; readonly uses: readonly string[] }[] = [];

  constructor(check: Check, place: WritePlace) {
    this.#check = check;
    this.#place = place;
    for (const [name, value] of place.fixed) {
      if (value) this.#assignments.push({ kind: "parent", member: name, value });
    }
  }

  /** The member a name writes, noted as written; undefined after a report. */
  #mention(name: Name): WritableMember | undefined {
    const member = findWritable(this.#check, this.#place.model, name);
    if (!member) return undefined;
    if (this.#place.fixed.has(member.name)) {
      const reason = "it is the reference to the parent, which the path of the request decides";
      this.#check.report(say.notWritable(name.span, name.text, reason));
      return undefined;
    }
    const first = this.#mentioned.get(member.name);
    if (first) {
      this.#check.report(say.mentionedTwice(name.span, name.text, first));
      return undefined;
    }
    this.#mentioned.set(member.name, name.span);
    return member;
  }

  set(node: SetNode): void {
    const member = this.#mention(node.member);
    if (!member) return;
    const { model } = this.#place;
    const isKey = member.kind === "reference" && node.member.text !== member.name;
    const scope = this.#setScope(member);
    const at = this.#check.placeOf(node.span);
    if (node.value.kind === "hook") {
      const place = { span: node.value.span, scope: { ...scope, secrets: true }, fromModels: true };
      const hook = checkHook(this.#check, node.value.hook.body, place);
      this.#assignments.push({ kind: "hook", member: node.member.text, hook, at });
      this.#sets.push({ name: member.name, span: node.member.span, uses: membersInHook(hook) });
      return;
    }
    const wanted = { type: this.#typeOf(node.member.text), what: `\`${model.name}.${node.member.text}\`` };
    const value = fitExpression(this.#check, node.value, scope, wanted);
    this.#assignments.push({ kind: "set", member: isKey ? node.member.text : member.name, value, at });
    this.#sets.push({ name: member.name, span: node.member.span, uses: ownMembers(value) });
  }

  #mayBeInput(member: WritableMember, name: Name): boolean {
    if (!this.#place.noInput?.has(member.name)) return true;
    const reason =
      "it is the reference to the parent: the request cannot change it, but an action can `set` it";
    this.#check.report(say.notWritable(name.span, name.text, reason));
    return false;
  }

  #setScope(member: WritableMember): Scope {
    const { model, scope, kind } = this.#place;
    const isSecret = member.kind === "field" && member.secret;
    const inner = scopeOfModel(scope, model.name, `the value of \`${member.name}\``);
    return { ...inner, onZero: "error", creating: kind === "create", secrets: isSecret };
  }

  #typeOf(name: string): Type {
    const member = this.#place.model.members.get(name);
    return member ? typeOfMember(this.#check, this.#place.model, member) : { kind: "any", nullable: false };
  }

  input(node: InputField): void {
    const member = this.#mention(node.name);
    if (!member || !this.#mayBeInput(member, node.name)) return;
    const { kind, model } = this.#place;
    const required = node.body && itemOf(node.body, "required");
    const optional = node.body && itemOf(node.body, "optional");
    if (required && optional) this.#check.report(say.requiredAndOptional(optional.span, required.span));
    const hasDefault = node.body !== undefined && itemOf(node.body, "default") !== undefined;
    const mayLack = kind === "update" || isOptional(member) || hasDefault;
    if (optional && !required && !mayLack) {
      const hint = "an optional input needs a default, or a member that is nullable";
      this.#check.report(say.missingValue(node.name.span, node.name.text, hint));
    }
    const field = requestField(this.#check, model, member, {
      required: required !== undefined || (!optional && !mayLack),
      withDefault: kind === "create",
    });
    if (field) this.#addInput(member, this.#refineInput(field, node), node.name.span);
  }

  /** Default and further validation that the action gives to an input. */
  #refineInput(field: ValueField, node: InputField): ValueField {
    const check = this.#check;
    const what = `The input \`${field.name}\``;
    const defaultNode = node.body && itemOf(node.body, "default");
    const scope: Scope = { ...this.#place.scope, place: "a default", onZero: "error" };
    const value = defaultNode && fitExpression(check, defaultNode.value, scope, { type: field.type, what });
    const validate = node.body && itemOf(node.body, "validate");
    const rule = validate && checkFieldRule(check, validate.value, { type: field.type, what });
    return {
      ...field,
      default: value ?? field.default,
      validate: rule ? [...field.validate, rule] : field.validate,
      doc: node.doc ?? field.doc,
    };
  }

  /** False after a report: `reference author { through slug }` beside a field `author_slug`. */
  #addField(field: ValueField, span: Span): boolean {
    const first = this.#spans.get(field.name);
    if (first) {
      const hint = "find the reference by another path, or `set` one of the two";
      this.#check.report(say.inputClash(first, field.name, span, hint));
      return false;
    }
    this.#fields.push(field);
    this.#spans.set(field.name, span);
    return true;
  }

  #addInput(member: WritableMember, field: ValueField, span: Span): void {
    if (!this.#addField(field, span)) return;
    this.#assignments.push({
      kind: "input",
      member: member.name,
      field: [...this.#place.prefix, field.name],
    });
  }

  /** `reference author { through slug }`: the request brings what finds the record. */
  lookup(node: ReferenceInputNode): void {
    const member = this.#mention(node.name);
    if (!member) return;
    if (member.kind !== "reference") {
      this.#check.report(say.notAReference(node.name.span, node.name.text));
      return;
    }
    if (!this.#mayBeInput(member, node.name)) return;
    const through = itemOf(node.body, "through");
    const target = member.to === undefined ? undefined : modelOf(this.#check, member.to);
    if (!through && !node.body.damaged) {
      this.#check.report(missingProperty(node.span, "A reference input", "through", "through slug"));
    }
    if (!through || !target) return;
    const found = checkUniquePath(this.#check, through.path, target);
    if (!found) return;
    const name = [member.name, ...found.names].join("_");
    const required = this.#place.kind === "create" && !member.nullable;
    const input: ValueField = {
      kind: "value",
      name,
      type: { ...found.type, nullable: member.nullable },
      required,
      default: null,
      validate: [],
      doc: node.doc ?? null,
      source: { kind: "lookup", model: this.#place.model.name, reference: member.name, path: found.names },
    };
    if (!this.#addField(input, node.name.span)) return;
    const field = [...this.#place.prefix, name];
    this.#assignments.push({ kind: "lookup", member: member.name, field, path: found.names });
  }

  deny(name: Name): void {
    const member = this.#mention(name);
    if (!member || this.#place.kind === "update" || isOptional(member)) return;
    const hint = "it is required: `set` it, let it be an input, or give it a default in the model";
    this.#check.report(say.missingValue(name.span, name.text, hint));
  }

  /** Members that nothing mentions: inputs of a create, and of an update that takes them all. */
  takeRest(takes: boolean): void {
    if (!takes) return;
    const { model, kind, fixed, noInput, span } = this.#place;
    for (const member of writableMembers(model)) {
      const { name } = member;
      if (this.#mentioned.has(name) || fixed.has(name) || noInput?.has(name)) continue;
      const required = kind === "create" && !isOptional(member);
      const field = requestField(this.#check, model, member, { required, withDefault: kind === "create" });
      if (field) this.#addInput(member, field, span);
    }
  }

  finish(damaged: boolean): CheckedWrite {
    if (!damaged) this.#reportCycles();
    return { assignments: this.#assignments, fields: this.#fields, spans: this.#spans };
  }

  /** Values of a new record may build on each other, but not in a circle. */
  #reportCycles(): void {
    if (this.#place.kind !== "create") return;
    const uses = new Map(this.#sets.map((set) => [set.name, set.uses]));
    for (const { name, span } of this.#sets) {
      const path = findCycle(uses, name);
      // A circle is found from all of its members; they share a cause, and the first in the source tells.
      if (path) this.#check.report(cycle(span, path));
    }
  }
}

/** Members of the record itself that an expression reads. */
function ownMembers(expression: Expression): string[] {
  switch (expression.kind) {
    case "member":
      if (expression.on.kind === "variable" && expression.on.variable === "this") {
        return [expression.member === "key" ? expression.name.replace(/_id$/, "") : expression.name];
      }
      return ownMembers(expression.on);
    case "unary":
      return ownMembers(expression.operand);
    case "binary":
      return [...ownMembers(expression.left), ...ownMembers(expression.right)];
    case "call":
      return expression.arguments.flatMap(ownMembers);
    case "aggregate":
      return ownMembers(expression.over);
    case "array":
      return expression.items.flatMap(ownMembers);
    case "struct":
      return expression.entries.flatMap((entry) => ownMembers(entry.value));
    case "literal":
    case "variable":
      return [];
  }
}

function membersInHook({ arguments: args }: Hook): string[] {
  return args.flatMap(({ value }) => (value.kind === "expression" ? ownMembers(value.expression) : []));
}

function findCycle(uses: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const visited = new Set<string>();
  const walk = (name: string, path: readonly string[]): string[] | undefined => {
    for (const next of uses.get(name) ?? []) {
      if (next === start) return [...path, next];
      if (visited.has(next)) continue;
      visited.add(next);
      const found = walk(next, [...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(start, [start]);
}
