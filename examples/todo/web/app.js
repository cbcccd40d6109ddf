// @ts-check
// The page: an entrance for those who are nobody yet, and the list for those who are somebody.

import { fieldValues, guard, setBusy, showErrors, showProblem } from "./forms.js";
import { openList } from "./list.js";
import { client, keepToken, readToken } from "./session.js";

/** @typedef {import("./client/client.js").User} User */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const form = (id) => /** @type {HTMLFormElement} */ (document.getElementById(id));

/** @param {"login" | "signup"} name */
function showForm(name) {
  for (const each of ["login", "signup"]) form(each).hidden = each !== name;
  showProblem(null);
  form(name).querySelector("input")?.focus();
}

/** Nobody is logged in. @param {string | null} [reason] */
function enter(reason = null) {
  keepToken(null);
  element("account").hidden = true;
  element("list").hidden = true;
  element("entrance").hidden = false;
  showForm("login");
  showProblem(reason);
}

/** @param {Pick<User, "id" | "name">} user */
async function welcome(user) {
  for (const name of ["login", "signup"]) form(name).reset();
  showProblem(null);
  element("who").textContent = user.name;
  element("account").hidden = false;
  element("entrance").hidden = true;
  element("list").hidden = false;
  await openList(user.id, () => enter("Your session is over. Log in again."));
}

/** @param {string} email @param {string} password */
async function logIn(email, password) {
  const { data, problem } = await client.auth.login({ email, password }).result();
  if (problem) {
    showErrors(form("login"), problem, { unauthenticated: "E-mail or password is wrong." });
    return;
  }
  keepToken(data.token);
  await welcome(data.user);
}

form("login").addEventListener("submit", (event) => {
  event.preventDefault();
  const { email = "", password = "" } = fieldValues(form("login"));
  guard(() => setBusy(form("login"), () => logIn(email, password)));
});

form("signup").addEventListener("submit", (event) => {
  event.preventDefault();
  const { name = "", email = "", password = "" } = fieldValues(form("signup"));
  guard(() =>
    setBusy(form("signup"), async () => {
      const { problem } = await client.signUp.create({ name, email, password }).result();
      if (problem) showErrors(form("signup"), problem, {}, { unique: "has an account already" });
      else await logIn(email, password);
    }),
  );
});

element("logout").addEventListener("click", () =>
  guard(async () => {
    await client.auth.logout().result();
    enter();
  }),
);

for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () =>
    showForm(button.getAttribute("data-show") === "signup" ? "signup" : "login"),
  );
}

// Whoever was logged in before the page was loaded still is, if the server says so.
guard(async () => {
  if (readToken() === null) return enter();
  const { data, problem } = await client.auth.me().result();
  if (problem?.code === "unauthenticated") return enter("Your session is over. Log in again.");
  if (problem) return showProblem(problem.detail);
  await welcome(data);
});
