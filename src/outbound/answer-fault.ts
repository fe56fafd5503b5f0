// Error for an unsuccessful response, with the messages of Kubernetes' clients.

import { JsonError, parseJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';

const SAID: Readonly<Record<number, string>> = Object.freeze({
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
});

export interface HttpAnswer {
  /** As in HTTP. */
  readonly status: number;
  /** The Content-Type header; '' for none. */
  readonly contentType: string;
  readonly body: string;
}

/** A Status in the body provides the message; a text is quoted. */
export function answerFault({ status, contentType, body }: HttpAnswer): string {
  const start = body.slice(0, limits.backendErrorBytes).trim();
  const own = statusMessage(start);
  if (own !== '') return own;
  const text = contentType === '' || contentType.startsWith('text/') ? start : '';
  const said = SAID[status];
  if (said !== undefined) return said;
  if (status === 403 || status === 406 || status === 415) return text === '' ? 'unknown' : text;
  if (status >= 500) {
    const quoted = goQuote(text === '' ? 'unknown' : text);
    return `an error on the server (${quoted}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}

function statusMessage(text: string): string {
  if (!text.startsWith('{')) return '';
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return '';
    throw error;
  }
  const { kind, message } = value as JsonObject;
  return kind === 'Status' && typeof message === 'string' ? message : '';
}
