// Custom code, where the language ends: how soon a task is due, in words. It runs in the server, for every task
// that an answer has. Its type is written by `stoa build` from what src/models.stoa says.

import type { TaskUrgency } from "../../.stoa/build/hooks.js";

const DAY_MS = 24 * 60 * 60 * 1000;

export const urgency: TaskUrgency = ({ dueOn, isDone }) => {
  if (isDone) return "done";
  if (dueOn === null) return "whenever";
  const days = (Date.parse(dueOn) - Date.now()) / DAY_MS;
  if (days < -1) return "overdue";
  return days < 3 ? "soon" : "later";
};
