// Users of a program with passwords, who log in and come with their tokens.

import { hashSecret } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Application } from "@stoa/runtime";

/** Of all users that are seeded. */
const PASSWORD = "correct horse";

export interface Accounts {
  readonly hash: string;
  /** What lets the user with this number in. */
  credentials(index: number): Readonly<Record<string, string>>;
  /** The header of a user's requests. */
  headerOf(userId: string): Readonly<Record<string, string>>;
  /** Logs in whoever is logged out: by themselves, or by a new password. */
  logInAll(userIds: readonly string[]): Promise<void>;
}

export async function openAccounts({ auth }: Definition, application: Application): Promise<Accounts | null> {
  if (!auth?.password) return null;
  const { identify, secret } = auth.password;
  const tokens = new Map<string, string>();
  const headerOf = (userId: string) => ({ Authorization: `Bearer ${tokens.get(userId) ?? "none"}` });
  const credentials = (index: number) => ({ [identify]: `text-${index}`, [secret]: PASSWORD });
  const ask = (path: string, init: RequestInit) =>
    application.fetch(new Request(`http://stoa.test/api/auth/${path}`, init));
  const logIn = async (userId: string): Promise<void> => {
    if ((await ask("me", { headers: headerOf(userId) })).status === 200) return;
    const body = JSON.stringify(credentials(Number(userId)));
    const answer = await ask("login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`User ${userId} cannot log in: ${text}`);
    tokens.set(userId, JSON.parse(text).token);
  };
  return {
    hash: await hashSecret(PASSWORD),
    credentials,
    headerOf,
    logInAll: async (userIds) => {
      for (const userId of new Set(userIds)) await logIn(userId);
    },
  };
}
