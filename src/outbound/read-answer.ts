// Reader of responses from webhooks and other servers: status, body and Retry-After. Bodies have a size limit, because
// the server is not trusted with this process's memory.

import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { limits } from '../base/limits.ts';
import { SmallPieces } from '../base/small-pieces.ts';
import type { HttpAnswer } from './answer-fault.ts';
import { retryAfterSeconds } from './retry-after.ts';

export interface Answer extends HttpAnswer {
  /** Where a redirection leads. */
  readonly location?: string | undefined;
  /** The Retry-After in seconds; undefined if the response is final. */
  readonly retryAfterSeconds: number | undefined;
}

/** A body that did not arrive completely. */
export class BodyError extends Error {
  override name = 'BodyError';
}

/** @throws BodyError for an incomplete response, Error for one that is too large */
export async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const body = await readBody(answer);
  const { statusCode: status = 0, headers } = answer;
  return {
    status,
    contentType: headers['content-type'] ?? '',
    body,
    location: headers.location,
    retryAfterSeconds: retryAfterSeconds({ status, retryAfter: headers['retry-after'] }),
  };
}

/** The same of a response within this process. @throws Error for one that is too large */
export async function readResponse(answer: Response): Promise<Answer> {
  const { status, headers } = answer;
  return {
    status,
    contentType: headers.get('content-type') ?? '',
    body: await readBody(answer.body ?? []),
    location: headers.get('location') ?? undefined,
    retryAfterSeconds: retryAfterSeconds({ status, retryAfter: headers.get('retry-after') ?? undefined }),
  };
}

async function readBody(answer: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  let length = 0;
  try {
    for await (const piece of answer) {
      length += piece.length;
      if (length > limits.webhookAnswerBytes) break;
      pieces.add(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    }
  } catch (error) {
    throw new BodyError('unexpected EOF', { cause: error });
  }
  if (length > limits.webhookAnswerBytes) {
    throw new Error(`the response is longer than ${limits.webhookAnswerBytes} bytes`);
  }
  return Buffer.concat(pieces.take()).toString();
}
