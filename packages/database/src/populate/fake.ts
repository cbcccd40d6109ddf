// `fake("…")`: the table of kinds, on faker with English texts. Everything comes from the seed alone: dates count
// from a fixed day, since "last year" would be another year next year. E-mail addresses and links are of
// example.com and its like, so that nobody's real one is ever in the data.

import type { Faker } from "@faker-js/faker";
import {
  type Decimal,
  dateText,
  datetimeOfMilliseconds,
  daysOfDate,
  decimalOfInteger,
  decimalText,
  isDecimal,
  millisecondsOfDatetime,
  numberText,
  parseDatetime,
  parseDecimal,
  roundDecimal,
  type Value,
} from "@stoa/definition";
import { RowProblem } from "./failure.js";
import { fakeCount, fakeRange, unknownFake } from "./messages.js";
import { type Random, randomUuid } from "./random.js";

const DAY_MS = 86_400_000;
const REFERENCE_DAY = daysOfDate("2026-01-01");
/** The day that dates count from, in milliseconds since 1970. */
export const REFERENCE_MS = REFERENCE_DAY * DAY_MS;

const YEAR_DAYS = 365;
const YEAR_MS = YEAR_DAYS * DAY_MS;
const LEAST_DIGITS = 2;

export type Fake = (kind: string, args: readonly Value[]) => Value;

/** Only the English texts are loaded, and only when there is something to make of them. */
export async function loadFaker(seed: number): Promise<Faker> {
  const { faker } = await import("@faker-js/faker/locale/en");
  // The module's own instance is shared by all who import it; a seed needs one of its own.
  const Constructor = faker.constructor as new (options: { locale: Faker["rawDefinitions"] }) => Faker;
  const own = new Constructor({ locale: faker.rawDefinitions });
  own.seed(seed);
  return own;
}

type Maker = (faker: Faker, args: readonly Value[], random: Random) => Value;

const MAKERS: Readonly<Record<string, Maker>> = {
  firstName: ({ person }) => person.firstName(),
  lastName: ({ person }) => person.lastName(),
  fullName: ({ person }) => `${person.firstName()} ${person.lastName()}`,
  username: ({ internet }) => internet.username(),
  email: ({ internet }) => internet.exampleEmail(),
  phone: ({ phone }) => phone.number(),
  url: ({ internet }) => `https://${internet.domainWord()}.example.com`,
  jobTitle: ({ person }) => person.jobTitle(),
  company: ({ company }) => company.name(),
  product: ({ commerce }) => commerce.productName(),
  color: ({ color }) => color.human(),
  street: ({ location }) => location.streetAddress(),
  city: ({ location }) => location.city(),
  country: ({ location }) => location.country(),
  zipCode: ({ location }) => location.zipCode(),
  word: (faker, _args, random) => word(faker, random),
  sentence: (faker, _args, random) => sentence(faker, random),
  paragraph: (faker, _args, random) => paragraph(faker, random),
  boolean: ({ datatype }) => datatype.boolean(),
  uuid: (_faker, _args, random) => randomUuid(random),
  pastDate: (faker) => dateText(REFERENCE_DAY - between(faker, 1, YEAR_DAYS)),
  futureDate: (faker) => dateText(REFERENCE_DAY + between(faker, 1, YEAR_DAYS)),
  pastDatetime: (faker) => datetimeOfMilliseconds(REFERENCE_MS - between(faker, 1, YEAR_MS)),
  futureDatetime: (faker) => datetimeOfMilliseconds(REFERENCE_MS + between(faker, 1, YEAR_MS)),
  integer: (faker, args) => integerBetween(faker, args),
  float: (faker, args) => floatBetween(faker, args),
  decimal: (faker, args) => decimalBetween(faker, args),
  date: (faker, args) => dateBetween(faker, args),
  datetime: (faker, args) => datetimeBetween(faker, args),
  words: (faker, [count], random) => someWords(faker, Number(count), random),
  oneOf: (faker, [list]) => faker.helpers.arrayElement(list as readonly Value[]),
};

export const FAKE_KINDS: readonly string[] = Object.keys(MAKERS);

/** Null spreads here as everywhere. */
export function createFake(faker: Faker, random: Random): Fake {
  return (kind, args) => {
    const make = Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
    if (!make) throw new RowProblem(unknownFake(kind));
    return args.includes(null) ? null : make(faker, args, random);
  };
}

function between(faker: Faker, min: number, max: number): number {
  return faker.number.int({ min, max });
}

function integerBetween(faker: Faker, [from, to]: readonly Value[]): number {
  const [min, max] = [Number(from), Number(to)];
  if (min > max) throw new RowProblem(fakeRange("integer", String(min), String(max)));
  return between(faker, min, max);
}

function floatBetween(faker: Faker, [from, to]: readonly Value[]): number {
  const [min, max] = [Number(from), Number(to)];
  if (min > max) throw new RowProblem(fakeRange("float", String(min), String(max)));
  return faker.number.float({ min, max });
}

/** With as many digits as the limits are written with, but no fewer than two. */
function decimalBetween(faker: Faker, [from, to]: readonly Value[]): Decimal {
  const [low, high] = [decimalOf(from), decimalOf(to)];
  const scale = Math.max(LEAST_DIGITS, low.scale, high.scale);
  const [min, max] = [roundDecimal(low, scale).units, roundDecimal(high, scale).units];
  if (min > max) throw new RowProblem(fakeRange("decimal", decimalText(low), decimalText(high)));
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  const isSmall = min >= -limit && max <= limit;
  const units = isSmall
    ? BigInt(between(faker, Number(min), Number(max)))
    : faker.number.bigInt({ min, max });
  return { units, scale };
}

function decimalOf(value: Value | undefined): Decimal {
  if (value !== undefined && isDecimal(value)) return value;
  if (Number.isSafeInteger(value)) return decimalOfInteger(value as number);
  return parseDecimal(numberText(Number(value))) ?? { units: 0n, scale: 0 };
}

function dateBetween(faker: Faker, [from, to]: readonly Value[]): string {
  const [min, max] = [daysOfDate(String(from)), daysOfDate(String(to))];
  if (min > max) throw new RowProblem(fakeRange("date", String(from), String(to)));
  return dateText(between(faker, min, max));
}

function datetimeBetween(faker: Faker, [from, to]: readonly Value[]): string {
  const [min, max] = [from, to].map((text) => millisecondsOfDatetime(parseDatetime(String(text)) ?? "")) as [
    number,
    number,
  ];
  if (min > max) throw new RowProblem(fakeRange("datetime", String(from), String(to)));
  return datetimeOfMilliseconds(between(faker, min, max));
}

/** Texts come from faker's list of words, but are put together here: they are most of the data, and it is slow at them. */
function word(faker: Faker, random: Random): string {
  const list = faker.definitions.lorem.word;
  return list[random.next() % list.length] ?? "";
}

function words(faker: Faker, count: number, random: Random): string {
  let text = word(faker, random);
  for (let left = count; left > 1; left--) text += ` ${word(faker, random)}`;
  return text;
}

function someWords(faker: Faker, count: number, random: Random): string {
  if (count < 0) throw new RowProblem(fakeCount(count));
  return count === 0 ? "" : words(faker, count, random);
}

/** Four to eleven words. */
function sentence(faker: Faker, random: Random): string {
  const text = words(faker, 4 + (random.next() % 8), random);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Three to five sentences. */
function paragraph(faker: Faker, random: Random): string {
  return Array.from({ length: 3 + (random.next() % 3) }, () => sentence(faker, random)).join(" ");
}
