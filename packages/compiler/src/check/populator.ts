// Populators: seed data, record by record, nested along relations.

import type { Assignment, Expression, Populate, Populator, Repeat, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import { mentionedTwice, notWritable, populateMissing } from "../diagnostics/messages/actions.js";
import { aliasShadows, unknownMember, unknownModel } from "../diagnostics/messages/names.js";
import * as say from "../diagnostics/messages/program.js";
import { type MissingWord, missingProperties } from "../diagnostics/messages/syntax.js";
import type { Model, ReferenceMember } from "../resolve/program.js";
import {
  type Expr,
  isMissing,
  itemOf,
  itemsOf,
  type Name,
  type PopulateNode,
  type PopulatorNode,
  type RepeatNode,
  type SetNode,
} from "../syntax/tree.js";
import { type Check, modelOf, typeOfMember } from "./context.js";
import { fitExpression } from "./fit.js";
import { checkHook } from "./hook.js";
import { findWritable, isOptional, writableMembers } from "./members.js";
import { EMPTY_SCOPE, type HiddenName, type Scope, scopeOfModel, withVariable } from "./scope.js";
import { ANY, INTEGER } from "./types.js";

const POPULATOR: Scope = {
  ...EMPTY_SCOPE,
  place: "a populator",
  fakes: true,
  onZero: "error",
  noAuth: "no user is logged in when data is populated",
};

export function checkPopulators(check: Check): Populator[] {
  return check.program.populators.map((node: PopulatorNode) => ({
    name: node.name.text,
    populates: node.body.items.flatMap((item) =>
      checkPopulate(check, item, { scope: POPULATOR, parent: undefined, depth: 1 }),
    ),
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  }));
}

interface PopulatePlace {
  readonly scope: Scope;
  readonly parent: { readonly model: Model; readonly alias: string } | undefined;
  readonly depth: number;
}

interface PopulateTarget {
  readonly model: Model;
  readonly reference: ReferenceMember | undefined;
}

function checkPopulate(check: Check, node: PopulateNode, place: PopulatePlace): Populate[] {
  const target = checkTarget(check, node.target, place);
  if (!target) return [];
  const { model, reference } = target;
  const repeat = itemOf(node.body, "repeat");
  if (repeat && reference?.unique) check.report(say.populateUnique(repeat.span, node.target.text));
  const repeated = repeat && checkRepeat(check, repeat, place.scope);
  const scope = repeat ? withIterator(check, place.scope, repeat.iterator) : place.scope;
  const alias = node.alias && !isMissing(node.alias) ? node.alias.text : `$${place.depth}`;
  const assignments = checkSets(check, node, { model, reference, scope });
  const inner = withAlias(check, scope, { node, model });
  const nested = itemsOf(node.body, "populate").flatMap((item) =>
    checkPopulate(check, item, { scope: inner, parent: { model, alias }, depth: place.depth + 1 }),
  );
  return [
    {
      model: model.name,
      parent: reference && place.parent ? { reference: reference.name, alias: place.parent.alias } : null,
      alias,
      repeat: repeated ?? null,
      assignments,
      populates: nested,
      doc: node.doc ?? null,
      at: check.placeOf(node.span),
    },
  ];
}

/** At the top a model; inside, a relation of the parent. */
function checkTarget(check: Check, name: Name, { parent }: PopulatePlace): PopulateTarget | undefined {
  if (isMissing(name)) return undefined;
  if (!parent) {
    const model = modelOf(check, name.text);
    if (model) return { model, reference: undefined };
    if (!check.program.damaged)
      check.report(unknownModel(name.span, name.text, [...check.program.models.keys()]));
    return undefined;
  }
  const member = parent.model.members.get(name.text);
  if (!member) {
    const known = [...parent.model.members.values()]
      .filter((candidate) => candidate.kind === "relation")
      .map((relation) => relation.name);
    if (!parent.model.damaged) {
      check.report(
        unknownMember(name.span, name.text, { model: parent.model.name, known, kind: "relation" }),
      );
    }
    return undefined;
  }
  if (member.kind !== "relation") {
    check.report(say.populateTarget(name.span, name.text, member.kind, member.span));
    return undefined;
  }
  const model = member.from === undefined ? undefined : modelOf(check, member.from);
  return model && member.through ? { model, reference: member.through } : undefined;
}

const ITERATOR: Type = {
  kind: "struct",
  fields: [
    { name: "current", type: INTEGER },
    { name: "total", type: INTEGER },
  ],
  nullable: false,
};

function withIterator(check: Check, scope: Scope, iterator: Name | undefined): Scope {
  if (!iterator || isMissing(iterator)) return scope;
  return withUnique(check, scope, { name: iterator, type: ITERATOR, kind: "iterator" });
}

function withAlias(
  check: Check,
  scope: Scope,
  { node, model }: { readonly node: PopulateNode; readonly model: Model },
): Scope {
  if (!node.alias || isMissing(node.alias)) return scope;
  const type: Type = { kind: "record", model: model.name, nullable: false };
  return withUnique(check, scope, { name: node.alias, type, kind: "alias" });
}

function withUnique(
  check: Check,
  scope: Scope,
  { name, type, kind }: { readonly name: Name; readonly type: Type; readonly kind: "alias" | "iterator" },
): Scope {
  const taken = scope.variables.get(name.text);
  if (taken) check.report(aliasShadows(name.span, name.text, taken.span));
  return withVariable(scope, { name: name.text, kind, type, span: name.span });
}

function checkRepeat(check: Check, node: RepeatNode, scope: Scope): Repeat {
  const iterator = node.iterator && !isMissing(node.iterator) ? node.iterator.text : null;
  const one: Expression = { kind: "literal", type: INTEGER, value: 1 };
  if ("kind" in node.range) {
    const end = checkNumber(check, node.range, scope);
    if (literalOf(node.range) !== undefined && (literalOf(node.range) ?? 0) < 0) {
      check.report(
        say.repeatRange(
          node.range.span,
          "A record cannot be repeated fewer than 0 times.",
          "write a count from 0",
        ),
      );
    }
    return { iterator, start: one, end };
  }
  const start = itemOf(node.range, "start");
  const end = itemOf(node.range, "end");
  const { damaged, span } = node.range;
  const missing: MissingWord[] = [];
  if (!start) missing.push(["start", "start 1"]);
  if (!end) missing.push(["end", "end 10"]);
  if (missing.length > 0 && !damaged) check.report(missingProperties(span, "A range", missing));
  const [from, to] = [start && literalOf(start.value), end && literalOf(end.value)];
  if (end && from !== undefined && to !== undefined && to < from) {
    check.report(
      say.repeatRange(end.value.span, `The end ${to} comes before the start ${from}.`, "both are included"),
    );
  }
  return {
    iterator,
    start: start ? checkNumber(check, start.value, scope) : one,
    end: end ? checkNumber(check, end.value, scope) : one,
  };
}

function checkNumber(check: Check, syntax: Expr, scope: Scope): Expression {
  return fitExpression(check, syntax, scope, { type: INTEGER, what: "The number of repeats" });
}

function literalOf(syntax: Expr): number | undefined {
  // One that is too large is told where its type is checked.
  if (syntax.kind === "integer") return Number.isSafeInteger(syntax.value) ? syntax.value : undefined;
  const isNegative = syntax.kind === "unary" && syntax.operator === "-" && syntax.operand.kind === "integer";
  const value = isNegative ? literalOf(syntax.operand) : undefined;
  return value === undefined ? undefined : -value;
}

interface SetPlace {
  readonly model: Model;
  readonly reference: ReferenceMember | undefined;
  readonly scope: Scope;
}

function checkSets(check: Check, node: PopulateNode, place: SetPlace): Assignment[] {
  const mentioned = new Map<string, Span>();
  const assignments = itemsOf(node.body, "set").flatMap((set) =>
    checkSet(check, set, { ...place, mentioned }),
  );
  // A nested populate over a reference is reported where it stands.
  const nested = new Set(itemsOf(node.body, "populate").map((populate) => populate.target.text));
  const given = (name: string): boolean =>
    mentioned.has(name) || nested.has(name) || name === place.reference?.name;
  const missing = writableMembers(place.model).filter((member) => !given(member.name) && !isOptional(member));
  // A name that is not known may be a slip for one that seems to be missing.
  const isUnknown = ({ member }: SetNode) => !place.model.members.has(member.text);
  const isBroken = node.body.damaged || itemsOf(node.body, "set").some(isUnknown);
  if (missing.length > 0 && !isBroken && !place.model.damaged) {
    const names = missing.map((member) => member.name);
    check.report(populateMissing(node.heading, place.model.name, names));
  }
  return assignments;
}

/** The record that is being made cannot be read yet. */
function ownNames({ name, members }: Model): ReadonlyMap<string, HiddenName> {
  const reason = `the \`${name}\` that is being made has no values yet; aliases of populates around it, and iterators, can be used`;
  return new Map([...members.values()].map((member) => [member.name, { span: member.span, reason }]));
}

function checkSet(
  check: Check,
  node: SetNode,
  { model, reference, scope, mentioned }: SetPlace & { readonly mentioned: Map<string, Span> },
): Assignment[] {
  const member = findWritable(check, model, node.member);
  if (!member) return [];
  const first = mentioned.get(member.name);
  if (first) check.report(mentionedTwice(node.member.span, node.member.text, first));
  mentioned.set(member.name, node.member.span);
  if (member.name === reference?.name) {
    check.report(notWritable(node.member.span, node.member.text, "it is the reference to the parent record"));
    return [];
  }
  const at = check.placeOf(node.span);
  const isSecret = member.kind === "field" && member.secret;
  const inner: Scope = {
    ...scopeOfModel(scope, undefined, "a populator"),
    hidden: ownNames(model),
    secrets: isSecret || node.value.kind === "hook",
  };
  if (node.value.kind === "hook") {
    const hook = checkHook(check, node.value.hook.body, {
      span: node.value.span,
      scope: inner,
      fromModels: false,
    });
    return [{ kind: "hook", member: node.member.text, hook, at }];
  }
  const target = model.members.get(node.member.text);
  const type = target ? typeOfMember(check, model, target) : ANY;
  const value = fitExpression(check, node.value, inner, {
    type,
    what: `\`${model.name}.${node.member.text}\``,
  });
  return [{ kind: "set", member: node.member.text, value, at }];
}
