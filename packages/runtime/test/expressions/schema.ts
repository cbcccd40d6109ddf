// The models that random expressions are about: members of every type, present and nullable, with relationships,
// computeds and queries of every kind. `compileComputeds` adds expressions to one of them, so that their types are
// those of the checker.

import { compile } from "@stoa/compiler";
import type { Definition, Expression, Model } from "@stoa/definition";

const VALUES = `
  field name { type string }
  field note { type string, nullable }
  field grade { type Grade }
  field mood { type Mood, nullable }
  field size { type integer }
  field count2 { type integer, nullable }
  field weight { type float, nullable }
  field ratio { type float }
  field drift { type float, nullable }
  field price { type decimal(12, 3) }
  field amount { type decimal, nullable }
  field exact { type decimal }
  field isOn { type boolean }
  field isOdd { type boolean, nullable }
  field day { type date }
  field until { type date, nullable }
  field made { type datetime }
  field seen { type datetime, nullable }
  field code { type uuid }
  field token { type uuid, nullable }
  field meta { type json }
  field extra { type json, nullable }
  computed label { name + " " + lower(coalesce(note, grade)) }
  computed product { size * count2 }
  computed surplus { size + 1 }
  computed perPiece { amount / size }
  computed halfWeight { weight / 2 }
  computed square { ratio * drift }
  computed isSmall { size < 10 or isOdd }
  computed rounded { round(price, size % 5) }
`;

const HEAD = `
enum Grade { low, Middle, high, _x }
enum Mood { low, calm, angry }

auth { model Shop, password { identify login, secret password } }
`;

const SHOP = `
  field login { type string, unique }
  field password { type string, secret }
  reference parent { to Shop, nullable }
  relation branches { from Shop, through parent }
  relation items { from Item, through shop }
  relation spares { from Item, through spare }
  relation badge { from Badge, through shop }
  query openItems { from items, filter { isOn and size > 0 }, order by { size desc, name } }
  query topItems { from items, order by { amount desc, day }, limit 2 }
  query laterItems { from items as item, filter { item.note is not null }, order by { note }, limit 3, offset 1 }
  query firstItem { from items, order by { isOdd, price }, first }
  query itemCount { from items, filter { isOdd }, count }
  query hasSpare { from spares, exists }
  query sizeSum { from items, sum(size * 3) }
  query weightSum { from items, sum(weight) }
  query priceMean { from items, avg(price) }
  query greatest { from items.notes, max(amount) }
  query nieces { from parent.branches, filter { isOn } }
  query lastName { from items.notes, max(note) }
  computed worth { sum(items.price) }
  computed isBusy { count(items.notes) > 3 }
  computed isMine { parent is @auth or @auth.isOn }
`;

const ITEM = `
  reference shop { to Shop }
  reference spare { to Shop, nullable }
  reference twin { to Item, nullable }
  relation notes { from Note, through item }
  relation followers { from Item, through twin }
  query recent { from notes, order by { made desc }, limit 2 }
  query latest { from notes, filter { isOn }, order by { seen desc, code }, first }
  query siblings { from shop.items, filter { size >= 0 } }
  query keeper { from shop, first }
  query noteTotal { from notes, sum(exact * 2) }
  query noteMean { from notes, avg(size) }
  query oldest { from notes, min(until) }
  computed shopLabel { coalesce(spare, shop).name + stringify(size) }
  computed share { exact / count(notes) }
`;

const NOTE = `
  id { type uuid }
  reference item { to Item, nullable }
  reference writer { to Shop, nullable }
  relation badges { from Badge, through note }
  query others { from item.notes, filter { isOn is false }, limit 4 }
`;

const BADGE = `
  reference shop { to Shop, unique }
  reference note { to Note, nullable }
  field text { type string }
`;

export type BaseModel = "Shop" | "Item" | "Note";
const BODIES: Readonly<Record<BaseModel, string>> = {
  Shop: `${VALUES}${SHOP}`,
  Item: `${VALUES}${ITEM}`,
  Note: `${VALUES}${NOTE}`,
};

function sourceWith(base: BaseModel | undefined, computeds: readonly string[]): string {
  const own = computeds.map((text, index) => `  computed e${index} { ${text} }\n`).join("");
  const models = (Object.keys(BODIES) as BaseModel[]).map(
    (name) => `model ${name} {${BODIES[name]}${name === base ? own : ""}}\n`,
  );
  return `${HEAD}${models.join("")}model Badge {${BADGE}}\n`;
}

function definitionWith(base: BaseModel | undefined, computeds: readonly string[]): Definition {
  const text = sourceWith(base, computeds);
  const { definition, diagnostics } = compile([{ name: "main.stoa", text }]);
  if (definition) return definition;
  const said = diagnostics.map(({ message, span }) => `${message}\n${text.slice(span.start, span.end)}`);
  throw new Error(said.slice(0, 5).join("\n\n"));
}

export const definition = definitionWith(undefined, []);

export function modelNamed(name: string): Model {
  const model = definition.models.find((each) => each.name === name);
  if (model === undefined) throw new Error(`There is no model ${name}.`);
  return model;
}

/** The expressions as the compiler understands them. */
export function compileComputeds(base: BaseModel, texts: readonly string[]): Expression[] {
  const { models } = definitionWith(base, texts);
  const members = models.find(({ name }) => name === base)?.members ?? [];
  return texts.map((_, index) => {
    const member = members.find(({ name }) => name === `e${index}`);
    if (member?.kind !== "computed") throw new Error(`The expression e${index} is not there.`);
    return member.value;
  });
}
