// How the values of a column get another type. A cast is only made where every value survives it: `fits` says
// of a value whether it does, in SQL that never fails itself, so that the values in the way can be shown.

import { castName, type ParsedType, parseType } from "./column-type.js";
import { quoteLiteral } from "./quote.js";

export interface Cast {
  /** `widening` casts keep every value there can be; `data` casts depend on the values there are. */
  readonly class: "widening" | "data";
  /** SQL of the new value. */
  readonly using: (value: string) => string;
  /** SQL that is true if the value survives; null if all do. */
  readonly fits: ((value: string) => string) | null;
  /** Some value may survive; otherwise only null does. */
  readonly isPossible: boolean;
}

const MAX_INTEGER = "9007199254740991";
const MAX_INTEGER_DIGITS = 16;

export function findCast(fromSql: string, toSql: string): Cast {
  const from = parseType(fromSql);
  const to = parseType(toSql);
  return castTo(from, to) ?? impossible(to);
}

/** SQL of the value in its new type, or null where it does not survive. Never fails. */
export function castSafely(cast: Cast, value: string): string {
  return cast.fits === null
    ? cast.using(value)
    : `CASE WHEN ${cast.fits(value)} THEN ${cast.using(value)} END`;
}

/** Nothing can be kept: fine for nulls and empty tables alone. */
function impossible(to: ParsedType): Cast {
  return {
    class: "data",
    using: () => `NULL::${castName(to.sql)}`,
    fits: (value) => `${value} IS NULL`,
    isPossible: false,
  };
}

function castTo(from: ParsedType, to: ParsedType): Cast | undefined {
  switch (to.family) {
    case "string":
      return toText(from);
    case "integer":
      return toInteger(from);
    case "float":
      return toFloat(from);
    case "decimal":
      return toDecimal(from, to);
    case "boolean":
      return toBoolean(from);
    case "date":
      return toDate(from);
    case "datetime":
      return toDatetime(from);
    case "uuid":
      return toUuid(from);
    case "json":
      return toJson(from);
    case "local datetime":
    case "other":
      return undefined;
  }
}

function widening(using: (value: string) => string): Cast {
  return { class: "widening", using, fits: null, isPossible: true };
}

function always(using: (value: string) => string): Cast {
  return { class: "data", using, fits: null, isPossible: true };
}

function ifFits(fits: (value: string) => string, using: (value: string) => string): Cast {
  return { class: "data", using, fits, isPossible: true };
}

/** The second condition is only looked at where the first holds, which AND does not promise. */
function both(first: string, second: string): string {
  return `CASE WHEN ${first} THEN ${second} ELSE false END`;
}

function matches(value: string, pattern: string): string {
  return `${value} ~ ${quoteLiteral(pattern)}`;
}

/** Numbers have a limit too, though a far one. */
function isShort(condition: string, value: string): string {
  return `(${condition} AND length(${value}) <= 1000)`;
}

/** Through the text of a value; of a JSON value, only where it is of the kind that such a text comes from. */
function viaText(cast: Cast, jsonKind: "string" | "number" | "boolean"): Cast {
  const text = (value: string) => `(${value} #>> '{}')`;
  const isKind = (value: string) => `jsonb_typeof(${value}) = '${jsonKind}'`;
  return ifFits(
    (value) => (cast.fits === null ? isKind(value) : both(isKind(value), cast.fits(text(value)))),
    (value) => cast.using(text(value)),
  );
}

// ---------------------------------------------------------------- to text and json

/** Dates as clients have seen them; what only other hands can have written (infinity, BC) as PostgreSQL does. */
const calendarText = (value: string, format: string, isoText: string) =>
  `CASE WHEN ${value} >= '0001-01-01' AND ${value} < 'infinity' THEN to_char(${isoText}, '${format}')` +
  ` ELSE ${value}::text END`;

const dateText = (value: string) => calendarText(value, "YYYY-MM-DD", value);

/** In UTC, with milliseconds. */
const datetimeText = (value: string) =>
  calendarText(value, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"', `${value} AT TIME ZONE 'UTC'`);

function toText(from: ParsedType): Cast {
  if (from.family === "datetime") return always(datetimeText);
  if (from.family === "date") return widening(dateText);
  if (from.family === "json") {
    // As `stringify` does: a string is itself, anything else its JSON text.
    return always(
      (value) => `CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' ELSE ${value}::text END`,
    );
  }
  return widening((value) => `${value}::text`);
}

function toJson(from: ParsedType): Cast {
  if (from.family === "json") return always((value) => `${value}::jsonb`);
  if (from.family === "integer" || from.family === "float" || from.family === "boolean") {
    return widening((value) => `to_jsonb(${value})`);
  }
  const text = toText(from);
  return { ...text, using: (value) => `to_jsonb(${text.using(value)})` };
}

// ---------------------------------------------------------------- to numbers and booleans

const isWholeInRange = (value: string) => `(${value} = trunc(${value}) AND abs(${value}) <= ${MAX_INTEGER})`;

function toInteger(from: ParsedType): Cast | undefined {
  const using = (value: string) => `${value}::bigint`;
  switch (from.family) {
    case "integer":
      return widening(using);
    case "float":
    case "decimal":
      return ifFits(isWholeInRange, using);
    case "boolean":
      return always((value) => `${value}::integer::bigint`);
    case "string":
      return textToInteger;
    case "json":
      return viaText(textToInteger, "number");
    default:
      return undefined;
  }
}

/** No leading zeros: they would be lost, and who wrote them may have meant them. */
const textToInteger = ifFits(
  (value) =>
    both(
      matches(value, "^(0|-?[1-9][0-9]{0,15})$"),
      `${value}::numeric BETWEEN -${MAX_INTEGER} AND ${MAX_INTEGER}`,
    ),
  (value) => `${value}::bigint`,
);

function toDecimal(from: ParsedType, to: ParsedType): Cast | undefined {
  const limit = (using: (value: string) => string): Cast =>
    to.precision === undefined ? widening(using) : ifFits((value) => fitsDecimal(using(value), to), using);
  switch (from.family) {
    case "decimal":
      return isWiderDecimal(from, to) ? widening((value) => value) : limit((value) => value);
    case "integer": {
      const digits = (to.precision ?? 0) - (to.scale ?? 0);
      const using = (value: string) => `${value}::numeric`;
      return digits >= MAX_INTEGER_DIGITS ? widening(using) : limit(using);
    }
    // Through its text, which has all digits; the direct cast keeps fifteen.
    case "float":
      return limit((value) => `${value}::text::numeric`);
    case "string":
      return textToDecimal(to);
    case "json":
      return viaText(textToDecimal(to), "number");
    default:
      return undefined;
  }
}

function textToDecimal(to: ParsedType): Cast {
  const isNumber = (value: string) => isShort(matches(value, "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$"), value);
  const using = (value: string) => `${value}::numeric`;
  if (to.precision === undefined) return ifFits(isNumber, using);
  return ifFits((value) => both(isNumber(value), fitsDecimal(using(value), to)), using);
}

function isWiderDecimal(from: ParsedType, to: ParsedType): boolean {
  if (to.precision === undefined || to.scale === undefined) return true;
  if (from.precision === undefined || from.scale === undefined) return false;
  return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;
}

/** No digit is lost at either end. */
function fitsDecimal(number: string, { precision = 0, scale = 0 }: ParsedType): string {
  return `(round(${number}, ${scale}) = ${number} AND abs(${number}) < 1e${precision - scale})`;
}

function toFloat(from: ParsedType): Cast | undefined {
  const using = (value: string) => `${value}::double precision`;
  switch (from.family) {
    case "float":
    case "integer":
      return widening(using);
    case "decimal":
      return ifFits(isExactFloat, using);
    case "string":
      return textToFloat;
    case "json":
      return viaText(textToFloat, "number");
    default:
      return undefined;
  }
}

/** Of a decimal: far enough from the limits of floats not to fail, and the same number when it comes back. */
function isExactFloat(number: string): string {
  const isInRange = `(${number} = 0 OR abs(${number}) BETWEEN 1e-300 AND 1e300)`;
  return both(isInRange, `${number}::double precision::text::numeric = ${number}`);
}

const textToFloat = ifFits(
  (value) =>
    both(
      isShort(matches(value, "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?$"), value),
      isExactFloat(`${value}::numeric`),
    ),
  (value) => `${value}::double precision`,
);

const textToBoolean = ifFits(
  (value) => `${value} IN ('true', 'false')`,
  (value) => `${value}::boolean`,
);

function toBoolean(from: ParsedType): Cast | undefined {
  switch (from.family) {
    case "integer":
      return ifFits(
        (value) => `${value} IN (0, 1)`,
        (value) => `${value} = 1`,
      );
    case "string":
      return textToBoolean;
    case "json":
      return viaText(textToBoolean, "boolean");
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------- to dates and ids

const DATE_PATTERN = "(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
const TIME_PATTERN = "T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]{1,6})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";

/** Of a text that looks like a date: the month has such a day. */
function isDayOfMonth(text: string): string {
  const month = `make_date(left(${text}, 4)::integer, substr(${text}, 6, 2)::integer, 1)`;
  return `substr(${text}, 9, 2)::integer <= extract(day FROM ${month} + interval '1 month' - interval '1 day')`;
}

const textToDate = ifFits(
  (value) => both(matches(value, `^${DATE_PATTERN}$`), isDayOfMonth(value)),
  (value) => `${value}::date`,
);

const textToDatetime = ifFits(
  (value) => both(matches(value, `^${DATE_PATTERN}${TIME_PATTERN}$`), isDayOfMonth(value)),
  (value) => `${value}::timestamptz`,
);

const textToUuid = ifFits(
  (value) => `${value} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
  (value) => `${value}::uuid`,
);

function toDate(from: ParsedType): Cast | undefined {
  const using = (value: string) => `(${value} AT TIME ZONE 'UTC')::date`;
  switch (from.family) {
    case "datetime":
      return ifFits((value) => `${value} = date_trunc('day', ${value}, 'UTC')`, using);
    case "string":
      return textToDate;
    case "json":
      return viaText(textToDate, "string");
    default:
      return undefined;
  }
}

function toDatetime(from: ParsedType): Cast | undefined {
  switch (from.family) {
    case "datetime":
      return widening((value) => `${value}::timestamptz`);
    case "local datetime":
      return always((value) => `${value} AT TIME ZONE 'UTC'`);
    case "date":
      return widening((value) => `${value}::timestamp AT TIME ZONE 'UTC'`);
    case "string":
      return textToDatetime;
    case "json":
      return viaText(textToDatetime, "string");
    default:
      return undefined;
  }
}

function toUuid(from: ParsedType): Cast | undefined {
  if (from.family === "string") return textToUuid;
  return from.family === "json" ? viaText(textToUuid, "string") : undefined;
}
