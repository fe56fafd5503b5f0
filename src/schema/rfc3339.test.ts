import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalTime } from './rfc3339.ts';

const seconds: [text: string, canonical: string | null | undefined][] = [
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-31T03:04:05Z', '2026-01-31T03:04:05Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2026-01-02T03:04:05.987654321Z', '2026-01-02T03:04:05Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
  ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z'],
  ['0050-01-01T00:00:00+00:00', '0050-01-01T00:00:00Z'],
  ['2026-01-02T3:04:05Z', '2026-01-02T03:04:05Z'],
  ['0001-01-01T00:00:00Z', null],
  ['0001-01-01T01:00:00+01:00', null],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-04-31T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-00-01T00:00:00Z', undefined],
  ['2026-01-00T00:00:00Z', undefined],
  ['2026-01-02T24:00:00Z', undefined],
  ['2026-01-02T00:60:00Z', undefined],
  ['2026-01-02T00:00:60Z', undefined],
  ['2026-01-02 03:04:05Z', undefined],
  ['2026-01-02T03:04:05', undefined],
  ['2026-01-02T03:04:05z', undefined],
  ['2026-01-02', undefined],
  ['', undefined],
];
for (const [text, canonical] of seconds) {
  it(`a Time is parsed as by Go: ${text}`, () => assert.equal(canonicalTime(text, 'time'), canonical));
}

const microseconds: [text: string, canonical: string | null | undefined][] = [
  ['2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:05.000000Z'],
  ['2026-01-02T03:04:05.123456-00:30', '2026-01-02T03:34:05.123456Z'],
  ['0001-01-01T00:00:00.000000Z', null],
  ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ['2026-01-02T03:04:05Z', undefined],
  ['2026-01-02T03:04:05.123Z', undefined],
  ['2026-01-02T03:04:05.1234567Z', undefined],
];
for (const [text, canonical] of microseconds) {
  it(`a MicroTime is parsed as by Go: ${text}`, () => assert.equal(canonicalTime(text, 'microTime'), canonical));
}
