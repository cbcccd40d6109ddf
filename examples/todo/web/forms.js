// @ts-check
// Forms and what the server finds wrong with them. The page checks nothing itself: the rules are those of the
// models, and the server says which input breaks which.

/** @typedef {import("./client/client.js").Problem} Problem */

const GENERAL = "Something went wrong. Try again in a moment.";
const OFFLINE = "The server cannot be reached. Is it running?";

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
export function fieldValues(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** What is told above everything. @param {string | null} text */
export function showProblem(text) {
  const place = document.getElementById("problem");
  if (place === null) return;
  place.textContent = text;
  place.hidden = text === null;
}

/**
 * Shows each error beside its field, and what belongs to no field above everything.
 * @param {HTMLFormElement} form
 * @param {Pick<Problem, "code" | "detail"> & { readonly errors?: readonly { readonly path: string, readonly code: string, readonly message: string }[] | undefined }} problem
 * @param {Readonly<Record<string, string>>} byCode What to say instead, for some problems.
 * @param {Readonly<Record<string, string>>} byError What to say instead, for some errors of fields.
 */
export function showErrors(form, problem, byCode = {}, byError = {}) {
  clearErrors(form);
  const homeless = (problem.errors ?? []).filter(({ path, code, message }) => {
    const input = form.elements.namedItem(path.slice(1));
    if (!(input instanceof HTMLInputElement)) return true;
    markField(input, byError[code] ?? message);
    return false;
  });
  const isAllShown = (problem.errors ?? []).length > 0 && homeless.length === 0;
  showProblem(isAllShown ? null : (byCode[problem.code] ?? problem.detail));
  const first = form.querySelector("[aria-invalid]");
  if (first instanceof HTMLElement) first.focus();
}

/** @param {HTMLInputElement} input @param {string} message */
function markField(input, message) {
  const note = document.createElement("span");
  note.className = "error";
  note.id = `${input.form?.id || "edit"}-${input.name}-error`;
  note.textContent = message;
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", note.id);
  input.after(note);
}

/** @param {HTMLFormElement} form */
export function clearErrors(form) {
  for (const note of form.querySelectorAll(".error")) note.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  }
}

/** Nothing is sent twice while it is under way. @param {HTMLFormElement} form @param {() => Promise<void>} work */
export async function setBusy(form, work) {
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  clearErrors(form);
  try {
    await work();
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Runs what a click or a key has begun; what goes wrong is told. @param {() => Promise<unknown> | unknown} work */
export async function guard(work) {
  try {
    await work();
  } catch (error) {
    showProblem(error instanceof TypeError ? OFFLINE : GENERAL);
    console.warn(error);
  }
}
