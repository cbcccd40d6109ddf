// A certificate that signs itself, for localhost. Node can read certificates and not make them,
// so the few fields that are needed are put together here (X.509 in DER).

import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId("2a8648ce3d040302")); // ecdsa-with-SHA256
  const name = sequence(wrap(0x31, sequence(objectId("550403"), text("localhost"))));
  const validity = sequence(time("20200101000000Z"), time("21200101000000Z"));
  const names = sequence(wrap(0x82, Buffer.from("localhost")));
  const extensions = sequence(
    sequence(objectId("551d11"), wrap(0x04, names)),
    sequence(objectId("551d13"), wrap(0x04, sequence(wrap(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    wrap(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    wrap(0xa3, extensions),
  );
  const signature = sign("sha256", body, { key: privateKey, dsaEncoding: "der" });
  const certificate = sequence(body, algorithm, wrap(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function wrap(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return wrap(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return wrap(0x06, Buffer.from(hex, "hex"));
}

function integer(value: number): Buffer {
  return wrap(0x02, Buffer.from([value]));
}

function text(value: string): Buffer {
  return wrap(0x0c, Buffer.from(value));
}

function time(value: string): Buffer {
  return wrap(0x18, Buffer.from(value));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
