import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchedule } from './cron-schedule.ts';

function next(schedule: string, after: string, zone?: string): string | undefined {
  const ms = parseSchedule(schedule, zone).next(Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

test('a schedule comes due at the next minute that all of its fields match', () => {
  const cases: [schedule: string, after: string, expected: string][] = [
    ['*/15 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:15:00.000Z'],
    ['*/15 * * * *', '2026-01-01T00:14:59Z', '2026-01-01T00:15:00.000Z'],
    ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00:00.000Z'],
    ['30 8 1-7 * *', '2026-01-07T09:00:00Z', '2026-02-01T08:30:00.000Z'],
    ['0 0 * * mon-fri', '2026-01-02T01:00:00Z', '2026-01-05T00:00:00.000Z'],
    ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['@hourly', '2026-01-01T00:30:00Z', '2026-01-01T01:00:00.000Z'],
    ['@every 1h30m', '2026-01-01T00:30:00Z', '2026-01-01T02:00:00.000Z'],
  ];
  for (const [schedule, after, expected] of cases) assert.equal(next(schedule, after), expected, schedule);
});

test('if days of the month and of the week are both given, either of them suffices', () => {
  assert.equal(next('0 0 13 * fri', '2026-01-01T00:00:00Z'), '2026-01-02T00:00:00.000Z');
  assert.equal(next('0 0 */2 * fri', '2026-01-02T00:00:00Z'), '2026-01-03T00:00:00.000Z');
});

test('a schedule that never comes due has no next time', () => {
  assert.equal(next('0 0 31 feb *', '2026-01-01T00:00:00Z'), undefined);
});

test('a schedule follows the wall clock of its time zone through summer time', () => {
  const zone = 'Europe/Berlin';
  assert.equal(next('0 9 * * *', '2026-03-28T09:00:00Z', zone), '2026-03-29T07:00:00.000Z');
  assert.equal(next('0 9 * * *', '2026-10-24T08:00:00Z', zone), '2026-10-25T08:00:00.000Z');
});
