// Opening a connection: the way to the server, the start of the session, the sign-in.

import type { Target } from "../connect-options.js";
import { connectTimedOut } from "../errors.js";
import { Authentication } from "./authenticate.js";
import { Connection, type Task } from "./connection.js";
import { writeStartup } from "./messages.js";
import { MESSAGE } from "./reader.js";
import { Deadline, openTransport } from "./transport.js";

/** A connection on which statements can run. Fails with a `DatabaseError`. */
export async function openConnection(target: Target): Promise<Connection> {
  const deadline = new Deadline(target.connectTimeoutMs);
  try {
    const connection = new Connection(await openTransport(target, deadline), target);
    deadline.onPassed(() => connection.destroy(connectTimedOut(target)));
    await startSession(connection);
    return connection;
  } finally {
    deadline.lift();
  }
}

function startSession(connection: Connection): Promise<void> {
  const { target } = connection;
  const authentication = new Authentication(target, {
    send: (write) => void connection.sendMore(write),
    fail: (error) => connection.destroy(error),
  });
  return new Promise((resolve, reject) => {
    const task: Task = {
      isAlone: true,
      send: (writer) => writeStartup(writer, sessionParameters(target)),
      receive: (type, message) => {
        if (type === MESSAGE.backendKey) {
          const { body } = message;
          connection.setKey({ processId: body.readInt32BE(0), secret: body.readInt32BE(4) });
        }
        if (type === MESSAGE.authentication) authenticate(message.body);
      },
      settle: (failure) => {
        if (failure === undefined) return resolve();
        connection.destroy();
        reject(failure);
      },
    };
    const authenticate = (request: Buffer) => {
      try {
        authentication.receive(request);
      } catch (error) {
        connection.destroy(error);
        throw error;
      }
    };
    connection.run(task);
  });
}

/** Dates and times come in one form, whatever the server's settings. */
function sessionParameters(target: Target): Record<string, string> {
  return {
    user: target.user,
    database: target.database,
    application_name: target.applicationName,
    client_encoding: "UTF8",
    TimeZone: "UTC",
    DateStyle: "ISO, YMD",
    ...(target.sessionOptions === undefined ? {} : { options: target.sessionOptions }),
    ...(target.statementTimeoutMs === undefined
      ? {}
      : { statement_timeout: String(target.statementTimeoutMs) }),
  };
}
