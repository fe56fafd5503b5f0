// Logs over WebSocket: an empty message, and then one for each piece of the log, binary or in base64.

import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { RequestContext } from '../request-context.ts';
import { isBearerProtocol, messageWriter } from '../response/websocket.ts';
import { listed } from './forward.ts';

const BINARY = 'binary.k8s.io';
const BASE64 = 'base64.binary.k8s.io';
/** The size of kube-apiserver's buffer. */
const PIECE_BYTES = 2_048;

/** Sends a log; 403 without a body for a client that only offers other protocols. */
export async function sendLogMessages(context: RequestContext, log: Readable): Promise<void> {
  const protocols = listed(context.exchange.headers['sec-websocket-protocol'] ?? '');
  const offered = protocols.filter((each) => !isBearerProtocol(each));
  const chosen = offered.find((each) => each === BINARY || each === BASE64);
  if (offered.length > 0 && chosen === undefined) {
    log.destroy();
    return context.respond(403, context.headers(undefined), undefined);
  }
  const isText = chosen === BASE64;
  const writer = await messageWriter(context, { choose: () => chosen ?? false, isText });
  try {
    writer.write(Buffer.alloc(0));
    for await (const read of log as AsyncIterable<Buffer>) {
      for (let at = 0; at < read.length; at += PIECE_BYTES) {
        const piece = read.subarray(at, at + PIECE_BYTES);
        if (!writer.write(isText ? Buffer.from(piece.toString('base64')) : piece)) await writer.drained();
      }
    }
    writer.end();
  } catch {
    // The client or the kubelet has gone, and no message says which.
    writer.destroy();
  } finally {
    log.destroy();
  }
}
