// Dates and datetimes as texts. Datetimes are UTC with microseconds, as fine as PostgreSQL's timestamptz, so
// that they compare as texts; JSON shows their milliseconds.

import { datetimeOutOfRange } from "./problem.js";

const DAY_MS = 86_400_000;
const PATTERN = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|([+-])(\d{2}):?(\d{2}))$/i;

/** `2026-11-14` of a calendar day that exists, in the years 1 to 9999. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return year >= 1 && dateText(dayNumber(year, month, day)) === text;
}

/** An RFC 3339 text with an offset as a datetime; undefined when it is none. */
export function parseDatetime(text: string): string | undefined {
  const match = PATTERN.exec(text);
  if (!match || !isDate(text.slice(0, 10))) return undefined;
  const [hour, minute, second] = [match[4], match[5], match[6]].map(Number) as [number, number, number];
  const offset = Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || Number(match[11] ?? 0) > 59) return undefined;
  const [year, month, day] = [match[1], match[2], match[3]].map(Number) as [number, number, number];
  const minutes = hour * 60 + minute - (match[9] === "-" ? -offset : offset);
  const seconds = (dayNumber(year, month, day) * 24 * 60 + minutes) * 60 + second;
  const micros = Math.round(Number(`0.${match[7] ?? "0"}`) * 1_000_000);
  return momentText(seconds + (micros === 1_000_000 ? 1 : 0), micros % 1_000_000, text);
}

/** A datetime from milliseconds since 1970. */
export function datetimeOfMilliseconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const text = `${milliseconds} ms since 1970`;
  return momentText(seconds, Math.floor(milliseconds - seconds * 1000) * 1000, text);
}

export function millisecondsOfDatetime(datetime: string): number {
  const [hour, minute, second] = [datetime.slice(11, 13), datetime.slice(14, 16), datetime.slice(17, 23)].map(
    Number,
  ) as [number, number, number];
  return (
    daysOfDate(datetime.slice(0, 10)) * DAY_MS + (hour * 60 + minute) * 60_000 + Math.round(second * 1000)
  );
}

function momentText(seconds: number, micros: number, source: string): string {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const date = dateText(days);
  if (date.length !== 10 || date < "0001") throw datetimeOutOfRange(source);
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(pad2).join(":");
  return `${date}T${time}.${String(micros).padStart(6, "0")}Z`;
}

function pad2(value: number): string {
  return String(value).padStart(2, "0");
}

export function dateOfDatetime(datetime: string): string {
  return datetime.slice(0, 10);
}

/** What JSON shows of a datetime: milliseconds, the rest cut off. */
export function datetimeJson(datetime: string): string {
  return `${datetime.slice(0, 23)}Z`;
}

/** Days since 1970-01-01. */
export function daysOfDate(date: string): number {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return dayNumber(year, month, day);
}

/** Days since 1970, in the calendar of today for all years. Years are counted from March, so that leap days come last. */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The date of a number of days since 1970. */
export function dateText(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
  return `${String(year).padStart(4, "0")}-${pad2(month >= 10 ? month - 9 : month + 3)}-${pad2(day)}`;
}
