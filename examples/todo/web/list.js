// @ts-check
// The list. After every change it is read again: the server knows the order, and what is overdue.

import { clearErrors, fieldValues, guard, setBusy, showErrors, showProblem } from "./forms.js";
import { client } from "./session.js";

/** @typedef {Awaited<ReturnType<ReturnType<typeof client.user>["todos"]["list"]>>[number]} Todo */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const template = (id) => /** @type {HTMLTemplateElement} */ (document.getElementById(id));
const items = element("todos");
const add = /** @type {HTMLFormElement} */ (element("add"));

/** Whose list it is, and what to do when they are nobody any more. */
let userId = 0;
let leave = () => {};

const todos = () => client.user(userId).todos;

/** @param {number} id @param {() => void} onLeave */
export async function openList(id, onLeave) {
  userId = id;
  leave = onLeave;
  items.replaceChildren();
  await refresh();
  field(add, "title").focus();
}

/** @param {number} [focusId] The todo that shall have the focus. */
async function refresh(focusId) {
  const { data, problem } = await todos().list().result();
  if (problem) return refuse(problem);
  items.replaceChildren(...data.map(row));
  element("nothing").hidden = data.length > 0;
  element("clear").hidden = !data.some(({ isDone }) => isDone);
  const open = data.filter(({ isDone }) => !isDone).length;
  element("count").textContent = `${open} of ${data.length} to do`;
  if (focusId !== undefined) boxOf(focusId)?.focus();
}

/** @param {{ readonly code: string, readonly detail: string }} problem */
function refuse({ code, detail }) {
  if (code === "unauthenticated") leave();
  else showProblem(detail);
}

/** @param {Todo} todo */
function row(todo) {
  const item = /** @type {HTMLLIElement} */ (
    /** @type {DocumentFragment} */ (template("todo").content.cloneNode(true)).firstElementChild
  );
  item.dataset.id = String(todo.id);
  item.classList.toggle("is-done", todo.isDone);
  item.classList.toggle("is-overdue", todo.isOverdue);
  const box = /** @type {HTMLInputElement} */ (item.querySelector(".done"));
  box.checked = todo.isDone;
  box.setAttribute("aria-label", todo.title);
  const title = /** @type {HTMLElement} */ (item.querySelector(".title"));
  title.textContent = todo.title;
  showDay(/** @type {HTMLTimeElement} */ (item.querySelector("time")), todo);
  box.addEventListener("change", () => guard(() => tick(todo, box.checked)));
  title.addEventListener("dblclick", () => edit(todo, item));
  item.querySelector(".edit")?.addEventListener("click", () => edit(todo, item));
  item.querySelector(".delete")?.addEventListener("click", () => guard(() => remove(todo, item)));
  box.addEventListener("keydown", (event) => onKey(event, todo, item));
  return item;
}

/** @param {HTMLTimeElement} time @param {Todo} todo */
function showDay(time, { dueOn, isOverdue }) {
  if (dueOn === null) return time.remove();
  time.dateTime = dueOn;
  const day = new Date(`${dueOn}T12:00:00`).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
  time.textContent = isOverdue ? `${day}, overdue` : day;
}

/** @param {KeyboardEvent} event @param {Todo} todo @param {HTMLLIElement} item */
function onKey(event, todo, item) {
  const { key } = event;
  const neighbour = key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling;
  if (key === "ArrowDown" || key === "ArrowUp") boxIn(neighbour)?.focus();
  else if (key === "Enter" || key === "F2") edit(todo, item);
  else if (key === "Delete") guard(() => remove(todo, item));
  else return;
  event.preventDefault();
}

/** @param {Todo} todo @param {boolean} isDone */
async function tick({ id }, isDone) {
  const { problem } = await todos()(id).update({ isDone }).result();
  await settle(problem, id);
}

/** @param {Todo} todo @param {HTMLLIElement} item */
async function remove({ id }, item) {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  const { problem } = await todos()(id).delete().result();
  await settle(problem, next instanceof HTMLElement ? Number(next.dataset.id) : undefined);
  if (next === null) field(add, "title").focus();
}

/** What is not there any more, somebody has deleted in another window. @param {{ readonly code: string, readonly detail: string } | null} problem @param {number} [focusId] */
async function settle(problem, focusId) {
  showProblem(null);
  if (problem && problem.code !== "not-found") refuse(problem);
  if (problem?.code !== "unauthenticated") await refresh(focusId);
}

/** @param {Todo} todo @param {HTMLLIElement} item */
function edit(todo, item) {
  const form = /** @type {HTMLFormElement} */ (
    /** @type {DocumentFragment} */ (template("edit").content.cloneNode(true)).firstElementChild
  );
  field(form, "title").value = todo.title;
  field(form, "dueOn").value = todo.dueOn ?? "";
  const stop = () => {
    form.replaceWith(item);
    boxIn(item)?.focus();
  };
  form.addEventListener("keydown", ({ key }) => key === "Escape" && stop());
  form.querySelector(".cancel")?.addEventListener("click", stop);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    guard(() => setBusy(form, () => save(todo, form)));
  });
  item.replaceWith(form);
  field(form, "title").select();
}

/** @param {Todo} todo @param {HTMLFormElement} form */
async function save({ id }, form) {
  const { problem } = await todos()(id).update(valuesOf(form)).result();
  if (problem?.code === "validation") showErrors(form, problem);
  else await settle(problem, id);
}

/** @param {HTMLFormElement} form */
function valuesOf(form) {
  const { title = "", dueOn } = fieldValues(form);
  return { title: title.trim(), dueOn: dueOn || null };
}

/** @param {HTMLFormElement} form @param {string} name */
function field(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/** @param {Element | null} item */
function boxIn(item) {
  return /** @type {HTMLInputElement | null} */ (item?.querySelector(".done") ?? null);
}

/** @param {number} id */
function boxOf(id) {
  return boxIn(items.querySelector(`[data-id="${id}"]`));
}

add.addEventListener("submit", (event) => {
  event.preventDefault();
  guard(() =>
    setBusy(add, async () => {
      const { problem } = await todos().create(valuesOf(add)).result();
      if (problem?.code === "validation") return showErrors(add, problem);
      if (!problem) add.reset();
      await settle(problem);
      field(add, "title").focus();
    }),
  );
});
add.addEventListener("input", () => clearErrors(add));

element("clear").addEventListener("click", () =>
  guard(async () => {
    const { problem } = await todos().clearDone().result();
    await settle(problem);
    field(add, "title").focus();
  }),
);
