// Signing in: scram-sha-256, and for old servers md5 and plain passwords.

import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Target } from "../connect-options.js";
import { authenticationUnknown, falseServer, passwordMissing } from "../errors.js";
import { type MessageWriter, writePassword, writeSaslAnswer, writeSaslStart } from "./messages.js";

const derive = promisify(pbkdf2);

/** The requests of the server, by their numbers. */
const REQUEST = { ok: 0, plain: 3, md5: 5, saslStart: 10, saslContinue: 11, saslFinal: 12 } as const;

export interface Answers {
  send(write: (writer: MessageWriter) => void): void;
  /** For what is noticed later than the call that led to it. */
  fail(error: unknown): void;
}

/**
 * One sign-in, request by request. It throws where it cannot go on, and does so at once: a server that has
 * not proven itself must not get to its "ready" first.
 */
export class Authentication {
  readonly #target: Target;
  readonly #answers: Answers;
  #scram: Scram | undefined;
  #isServerProven = true;

  constructor(target: Target, answers: Answers) {
    this.#target = target;
    this.#answers = answers;
  }

  receive(request: Buffer): void {
    const { user, password } = this.#target;
    const kind = request.readInt32BE(0);
    const rest = request.subarray(4);
    if (kind === REQUEST.ok) {
      if (!this.#isServerProven) throw falseServer();
      return;
    }
    if (password === "") throw passwordMissing();
    if (kind === REQUEST.plain) this.#sendPassword(password);
    else if (kind === REQUEST.md5) this.#sendPassword(`md5${md5(md5(password + user), rest)}`);
    else if (kind === REQUEST.saslStart) this.#startScram(rest);
    else if (kind === REQUEST.saslContinue) this.#continueScram(rest);
    else if (kind === REQUEST.saslFinal) this.#finishScram(rest);
    else throw authenticationUnknown(`method ${kind}`);
  }

  #sendPassword(password: string): void {
    this.#answers.send((writer) => writePassword(writer, password));
  }

  #startScram(rest: Buffer): void {
    const offered = rest.toString("utf8").split("\0");
    if (!offered.includes("SCRAM-SHA-256")) throw authenticationUnknown(offered.filter(Boolean).join(", "));
    const scram = new Scram(this.#target.password);
    this.#isServerProven = false;
    this.#scram = scram;
    this.#answers.send((writer) => writeSaslStart(writer, "SCRAM-SHA-256", scram.first()));
  }

  #continueScram(rest: Buffer): void {
    if (this.#scram === undefined) throw falseServer();
    this.#scram.second(rest.toString("utf8")).then(
      (answer) => this.#answers.send((writer) => writeSaslAnswer(writer, answer)),
      (error) => this.#answers.fail(error),
    );
  }

  #finishScram(rest: Buffer): void {
    if (!this.#scram?.isProof(rest.toString("utf8"))) throw falseServer();
    this.#isServerProven = true;
  }
}

/** RFC 5802 without channel binding. The user name is in the startup message and stays empty here. */
class Scram {
  readonly #password: string;
  readonly #nonce = randomBytes(18).toString("base64");
  #proof: Buffer | undefined;

  constructor(password: string) {
    // What SASLprep does to nearly all passwords outside ASCII.
    this.#password = password.normalize("NFKC");
  }

  first(): string {
    return `n,,n=,r=${this.#nonce}`;
  }

  async second(challenge: string): Promise<string> {
    const fields = new Map(challenge.split(",").map((field) => [field.slice(0, 1), field.slice(2)]));
    const nonce = fields.get("r") ?? "";
    const rounds = Number(fields.get("i"));
    if (!nonce.startsWith(this.#nonce) || !(rounds > 0)) throw falseServer();
    const salt = Buffer.from(fields.get("s") ?? "", "base64");
    // Off the main thread: thousands of rounds take milliseconds, and ten connections may open at once.
    const salted = await derive(this.#password, salt, rounds, 32, "sha256");
    const clientKey = hmac(salted, "Client Key");
    const answer = `c=biws,r=${nonce}`;
    const signed = `n=,r=${this.#nonce},${challenge},${answer}`;
    const signature = hmac(createHash("sha256").update(clientKey).digest(), signed);
    this.#proof = hmac(hmac(salted, "Server Key"), signed);
    const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
    return `${answer},p=${proof.toString("base64")}`;
  }

  isProof(message: string): boolean {
    const given = Buffer.from(/^v=([^,]+)/.exec(message)?.[1] ?? "", "base64");
    return (
      this.#proof !== undefined && given.length === this.#proof.length && timingSafeEqual(given, this.#proof)
    );
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function md5(text: string, salt: Buffer = Buffer.alloc(0)): string {
  return createHash("md5").update(text).update(salt).digest("hex");
}
