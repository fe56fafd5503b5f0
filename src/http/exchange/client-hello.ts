// The client's first message of a TLS handshake (RFC 8446, 4.1.2): whether all of it has come, so that no work begins for
// a client whose bytes are not there, the name of the server that it asks for, and whether it speaks TLS 1.3. TLS itself
// reads the message again.

import { Buffer } from 'node:buffer';

/** Type, version and length of a record. */
const RECORD_HEADER = 5;
const HANDSHAKE_RECORD = 22;
/** The largest record that a client may send before it has keys. */
const MAX_RECORD = 16_384;
/** Type and length of a handshake message. */
const MESSAGE_HEADER = 4;
const CLIENT_HELLO = 1;
/** The version and random bytes of a ClientHello. */
const HELLO_HEADER = 34;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const SUPPORTED_VERSIONS = 43;
const TLS_1_3 = 0x0304;

export interface ClientHello {
  /**
   * How many bytes TLS needs before it can go on: more than there are while the message is incomplete. For other
   * protocols those that are there suffice, since TLS rejects them at once.
   */
  readonly needed: number;
  /** The requested server name (SNI, RFC 6066). */
  readonly serverName?: string | undefined;
  readonly isTls13?: boolean;
}

/** @param bytes everything that the client has sent */
export function readClientHello(bytes: Buffer): ClientHello {
  const bodies: Buffer[] = [];
  for (let at = 0; ; ) {
    const body = at + RECORD_HEADER;
    if (bytes.length < body) return { needed: body };
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE_RECORD || length === 0 || length > MAX_RECORD) return { needed: bytes.length };
    at = body + length;
    if (bytes.length < at) return { needed: at };
    bodies.push(bytes.subarray(body, at));
    const message = bodies.length === 1 ? bodies[0]! : Buffer.concat(bodies);
    if (isWhole(message)) return { needed: at, ...extensionsIn(message) };
  }
}

function isWhole(message: Buffer): boolean {
  return message.length >= MESSAGE_HEADER && message.length >= MESSAGE_HEADER + message.readUIntBE(1, 3);
}

/** Those that could be read: TLS rejects a malformed message. */
function extensionsIn(message: Buffer): Omit<ClientHello, 'needed'> {
  const found: { serverName?: string; isTls13?: boolean } = {};
  if (message[0] !== CLIENT_HELLO) return found;
  try {
    let at = MESSAGE_HEADER + HELLO_HEADER;
    at += 1 + message.readUInt8(at);
    at += 2 + message.readUInt16BE(at);
    at += 1 + message.readUInt8(at);
    for (at += 2; at < message.length; at += 4 + message.readUInt16BE(at + 2)) {
      const type = message.readUInt16BE(at);
      if (type === SERVER_NAME && message.readUInt8(at + 6) === HOST_NAME) {
        found.serverName ??= message.toString('latin1', at + 9, at + 9 + message.readUInt16BE(at + 7));
      } else if (type === SUPPORTED_VERSIONS) {
        const end = at + 5 + message.readUInt8(at + 4);
        for (let each = at + 5; each < end; each += 2) if (message.readUInt16BE(each) === TLS_1_3) found.isTls13 = true;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}
