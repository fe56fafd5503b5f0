import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConflictError } from './conflict.ts';
import { parseFields } from './fields-v1.ts';
import type { Manager } from './managers.ts';

function update(subresource: string, time: string): Manager {
  const fields = parseFields({ [subresource === '' ? 'f:spec' : 'f:status']: {} });
  return { name: 'curl', operation: 'Update', apiVersion: 'v1', subresource, time, fields };
}

function message(...managers: Manager[]): string {
  return (
    new ConflictError(managers.map((manager) => ({ manager, fields: manager.fields }))).answer.status.message ?? ''
  );
}

test('conflicts with one manager are listed by the time of its writes, and within a second those to a subresource first', () => {
  const early = '2026-01-01T00:00:00Z';
  const later = '2026-01-01T00:00:01Z';
  assert.equal(
    message(update('', early), update('status', early)),
    'Apply failed with 2 conflicts: conflicts with "curl" with subresource "status" using v1:\n- .status\n' +
      'conflicts with "curl" using v1:\n- .spec',
  );
  assert.equal(
    message(update('status', later), update('', early)),
    'Apply failed with 2 conflicts: conflicts with "curl" using v1:\n- .spec\n' +
      'conflicts with "curl" with subresource "status" using v1:\n- .status',
  );
});
