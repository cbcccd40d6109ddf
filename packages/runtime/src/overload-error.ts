// There is more to do just now than can be done in time: the client is asked to come back.

export class OverloadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OverloadError";
  }
}
