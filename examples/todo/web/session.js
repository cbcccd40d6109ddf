// @ts-check
// The client of the api, and the token that says who is logged in. The client itself keeps it in memory only; the
// page keeps it in the browser, so that a reload does not log anybody out.

import { createClient } from "./client/client.js";

const KEY = "todo.token";

export function readToken() {
  return localStorage.getItem(KEY);
}

/** @param {string | null} token */
export function keepToken(token) {
  client.$setToken(token);
  if (token === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
}

/** Without an address: the api is where the page is from. What is safe to send again is, twice. */
export const client = createClient({ token: readToken(), retries: 2 });
