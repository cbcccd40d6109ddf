// Why the newest sources are not live: the same words for the terminal, the page and the clients.

import type { Finding, Palette, Source } from "@stoa/compiler";
import { DatabaseError, type Obstacle, PopulateError, type Step } from "@stoa/database";
import { Failure } from "../failure.js";
import { renderPopulateError } from "../populate-error.js";
import { renderFindings, summary } from "../report.js";

export interface Trouble {
  /** In a few words, without a full stop. */
  readonly title: string;
  /** All there is to say, in lines. */
  render(palette: Palette): string;
}

export function sourcesBroken(findings: readonly Finding[], sources: readonly Source[]): Trouble {
  return {
    title: `the sources have ${summary(findings).replace(/ \(.*/, "")}`,
    render: (palette) => renderFindings(findings, sources, palette),
  };
}

/** What stops the work without a place in the sources. */
export function workFailed(error: unknown): Trouble {
  if (error instanceof PopulateError) return populateFailed(error);
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Failure ? error.hint : undefined;
  // Of what nobody has foreseen, all that is known.
  const isForeseen = error instanceof Failure || error instanceof DatabaseError;
  const stack = !isForeseen && error instanceof Error ? (error.stack ?? "") : "";
  return simple(withoutStop(message), { hint, details: stack.split("\n").slice(1) });
}

function populateFailed(error: PopulateError): Trouble {
  return { title: withoutStop(error.message), render: (palette) => renderPopulateError(error, palette) };
}

export function databaseAway(reason: string, isEmbedded: boolean): Trouble {
  const hint = isEmbedded
    ? "it is started again by itself; if that does not help, see .stoa/db.log"
    : "check DATABASE_URL, and that the server is running; this goes on by itself as soon as it is";
  return simple(`the database does not answer: ${withoutStop(reason)}`, { hint, details: [] });
}

export function rowsInTheWay(obstacles: readonly Obstacle[]): Trouble {
  return {
    title: "rows are in the way of the new models",
    render: (palette) =>
      [
        ...obstacles.map(
          ({ message, hint }) =>
            `${palette.error("error")}${palette.strong(`: ${message}`)}\n  ${palette.note("= hint:")} ${hint}`,
        ),
        "nothing was changed; this goes on by itself as soon as they are out of the way",
      ].join("\n"),
  };
}

/** `isAsked`: someone was asked and said no. */
export function dataWouldBeLost(steps: readonly Step[], isAsked: boolean): Trouble {
  const hint = isAsked
    ? "undo the change, or press r to be asked again"
    : "undo the change, or run `stoa db push` in a terminal to be asked; this goes on by itself then";
  return simple("the new models lose data, so they were not applied", {
    hint,
    details: steps.map(({ words }) => `  ${words}`),
  });
}

/** Shown while the question is open. */
export function waitingForAnswer(steps: readonly Step[]): Trouble {
  return simple("the new models lose data", {
    hint: "answer in the terminal of stoa dev",
    details: steps.map(({ words }) => `  ${words}`),
  });
}

interface SimpleParts {
  readonly hint?: string | undefined;
  readonly details: readonly string[];
}

function simple(title: string, { hint, details }: SimpleParts): Trouble {
  return {
    title,
    render: (palette) =>
      [
        `${palette.error("error")}${palette.strong(`: ${title}`)}`,
        ...details,
        ...(hint === undefined ? [] : [`  ${palette.note("= hint:")} ${hint}`]),
      ].join("\n"),
  };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}
