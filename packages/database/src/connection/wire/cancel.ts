// Cancelling goes over a connection of its own, which the server closes when it has passed the word on.

import type { Target } from "../connect-options.js";
import { type BackendKey, MessageWriter, writeCancelRequest } from "./messages.js";
import { Deadline, openTransport } from "./transport.js";

/** Never fails: where the server cannot be reached there is nothing to cancel. */
export async function requestCancel(target: Target, key: BackendKey): Promise<void> {
  const deadline = new Deadline(target.connectTimeoutMs);
  try {
    const socket = await openTransport(target, deadline);
    const writer = new MessageWriter();
    writeCancelRequest(writer, key);
    await new Promise<void>((resolve) => {
      socket.once("close", resolve);
      socket.on("error", () => {});
      socket.resume();
      socket.write(writer.take());
    });
  } catch {
    // The task ends with the connection that it runs on.
  } finally {
    deadline.lift();
  }
}
