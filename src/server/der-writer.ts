// Writer of DER (X.690), as far as certificates need it.

import { Buffer } from 'node:buffer';

/** A two-digit year until 2049, four digits afterwards (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2)))
    : element(0x18, Buffer.from(digits));
}

export function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthBytes(content.length), content]);
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  if (length < 0x100) return Buffer.of(0x81, length);
  return Buffer.of(0x82, length >> 8, length & 0xff);
}

export function sequence(...elements: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

export function integer(bytes: Buffer): Buffer {
  return element(0x02, bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return element(0x04, bytes);
}

export function bitString(unusedBits: number, bytes: Buffer): Buffer {
  return element(0x03, Buffer.concat([Buffer.of(unusedBits), bytes]));
}

export function explicit(tag: number, content: Buffer): Buffer {
  return element(0xa0 | tag, content);
}

export function implicit(tag: number, bytes: Buffer): Buffer {
  return element(0x80 | tag, bytes);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

export function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

export const BOOLEAN_TRUE = element(0x01, Buffer.of(0xff));
