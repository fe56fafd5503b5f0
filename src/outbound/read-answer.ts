// Reader of responses from webhooks and other servers: status, body and Retry-After. Bodies have a size limit, because
// the server is not trusted with this process's memory.

import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { limits } from '../base/limits.ts';
import type { HttpAnswer } from './answer-fault.ts';
import { retryAfterSeconds } from './retry-after.ts';

export interface Answer extends HttpAnswer {
  /** The Retry-After in seconds; undefined if the response is final. */
  readonly retryAfterSeconds: number | undefined;
}

/** @throws Error for a response that is too large or incomplete */
export async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limits.webhookAnswerBytes) {
      answer.destroy();
      throw new Error(`the response is longer than ${limits.webhookAnswerBytes} bytes`);
    }
    pieces.push(piece);
  }
  const { statusCode: status = 0, headers } = answer;
  return {
    status,
    contentType: headers['content-type'] ?? '',
    body: Buffer.concat(pieces).toString(),
    retryAfterSeconds: retryAfterSeconds({ status, retryAfter: headers['retry-after'] }),
  };
}
