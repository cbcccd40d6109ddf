// The clients of the benches, in a process of their own: connections that are kept alive, one request in flight on
// each. On bare sockets, and reading no more of an answer than its status and length, so that the servers are what
// is measured.

import { connect } from "node:net";

/**
 * @typedef {object} Window
 * @property {number} port
 * @property {number} connections
 * @property {number} milliseconds
 * @property {number} status that every answer must have
 * @property {readonly string[]} requests sent one after the other, and again; `{n}` becomes a number of nine digits
 *   that is never used twice
 */

/** @typedef {{ requests: number, milliseconds: number, cpuMicroseconds: number, fault: string | null }} Result */

const NUMBER = "{n}";
const DIGITS = 9;
const LENGTH = /\r\ncontent-length: (\d+)/i;

let number = 0;

process.on("message", async (/** @type {Window} */ window) => process.send?.(await run(window)));

/** @param {Window} window @returns {Promise<Result>} */
async function run(window) {
  const state = { next: 0, answered: 0, isOver: false, fault: /** @type {string | null} */ (null) };
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const timer = setTimeout(() => {
    state.isOver = true;
  }, window.milliseconds);
  await Promise.all(Array.from({ length: window.connections }, () => runConnection(window, state)));
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(cpu);
  return {
    requests: state.answered,
    milliseconds: performance.now() - startedAt,
    cpuMicroseconds: user + system,
    fault: state.fault,
  };
}

/**
 * @param {Window} window
 * @param {{ next: number, answered: number, isOver: boolean, fault: string | null }} state
 * @returns {Promise<void>} done when the window is over and the last answer has come
 */
function runConnection({ port, status, requests }, state) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  /** How much of the answer at hand is still to come; before its head has come there is nothing to know. */
  let missing = 0;
  let head = "";
  const sendNext = () => {
    if (state.isOver || state.fault !== null) return socket.end();
    socket.write(withNumber(requests[state.next++ % requests.length] ?? ""), "latin1");
  };
  const fail = (/** @type {string} */ fault) => {
    state.fault ??= fault;
    socket.destroy();
  };
  const readHead = (/** @type {Buffer} */ chunk) => {
    head += chunk.latin1Slice();
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const length = LENGTH.exec(head)?.[1];
    if (length === undefined || !head.startsWith(`HTTP/1.1 ${status}`)) {
      fail(head);
      return false;
    }
    missing = end + 4 + Number(length) - head.length;
    head = "";
    return true;
  };
  socket.on("connect", sendNext);
  socket.on("data", (chunk) => {
    if (missing > 0) missing -= chunk.length;
    else if (!readHead(chunk)) return;
    if (missing < 0) return fail("There is more than the answer.");
    if (missing > 0) return;
    state.answered++;
    sendNext();
  });
  socket.on("error", (error) => fail(error.message));
  return new Promise((resolve) => {
    socket.on("close", () => {
      if (!state.isOver) fail("The server has closed a connection.");
      resolve();
    });
  });
}

/** @param {string} request */
function withNumber(request) {
  return request.includes(NUMBER)
    ? request.replaceAll(NUMBER, String(++number).padStart(DIGITS, "0"))
    : request;
}
