// Makes a new project: decides where and under which name, sees that nothing is in the way, and copies the template.
// `npm create stoa` and `stoa init` are two ways to call this.

export { type Created, type CreateOptions, createProject } from "./create.js";
export { InitProblem } from "./problem.js";
export { type Questions, questionsOnTerminal } from "./questions.js";
export { createdJson, describeCreated, problemJson } from "./report.js";
