// Values of request headers as text: each header by itself, in UTF-8, as kube-apiserver reads them.

import { Buffer } from 'node:buffer';
import type { HttpExchange } from './transport.ts';

const NOT_ASCII = /[\x80-\xff]/;

/** The values of a header, which may be repeated; empty if it is absent. */
export function headerTexts(exchange: HttpExchange, name: string): readonly string[] {
  const joined = exchange.headers[name];
  if (joined === undefined) return [];
  return (exchange.headerValues?.(name) ?? joined.split(', ')).map(headerText);
}

/** A value, which has one character for each byte, decoded as UTF-8. */
export function headerText(value: string): string {
  return NOT_ASCII.test(value) ? Buffer.from(value, 'latin1').toString() : value;
}

/** The first value of a header as its bytes; undefined if it is absent. */
export function firstHeader(exchange: HttpExchange, name: string): string | undefined {
  const joined = exchange.headers[name];
  return joined === undefined ? undefined : (exchange.headerValues?.(name)[0] ?? joined);
}
