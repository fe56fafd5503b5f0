import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { widget } from '../../test/widget.ts';
import type { JsonObject, ObjectMeta } from '../api/object.ts';
import type { Apply } from './apply.ts';
import { ConflictError } from './conflict.ts';
import { applyWithMigration } from './last-applied.ts';
import type { Manager } from './managers.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const TIME = '2026-01-01T00:00:00Z';

/** What kubectl applied on its own side, and who owns what since. */
const lastApplied = { apiVersion: 'v1', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 1, amount: 1 } };
const live: JsonObject = {
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'w', annotations: { [ANNOTATION]: JSON.stringify(lastApplied) } },
  spec: { replicas: 1, amount: 5 },
};
const managers: Manager[] = [
  manager('kubectl-client-side-apply', { 'f:spec': { '.': {}, 'f:replicas': {} } }),
  manager('editor', { 'f:spec': { 'f:amount': {} } }),
];

function manager(name: string, fields: Manager['fields']): Manager {
  return { name, operation: 'Update', apiVersion: 'v1', subresource: '', time: TIME, fields };
}

function apply(name: string, spec: JsonObject, object = live) {
  const applied: JsonObject = { apiVersion: 'v1', kind: 'Widget', spec, metadata: { name: 'w' } };
  const step: Apply = {
    live: widget(object),
    empty: widget({}),
    applied,
    by: { name, subresource: '' },
    force: false,
    convert: () => undefined,
    ignored: undefined,
    now: TIME,
  };
  return applyWithMigration(step, managers);
}

describe('the migration from client-side to server-side apply', () => {
  test('an apply by kubectl has no conflict with values that kubectl applied on the client side', () => {
    assert.deepEqual(apply('kubectl', { replicas: 2 }).object?.spec, { replicas: 2, amount: 5 });
  });

  test('an apply by kubectl conflicts with values that another manager changed since', () => {
    assert.throws(
      () => apply('kubectl', { replicas: 2, amount: 6 }),
      (error) =>
        error instanceof ConflictError &&
        error.answer.message === 'Apply failed with 1 conflict: conflict with "editor" using v1: .spec.amount',
    );
  });

  test('an apply by another manager, or without the last-applied annotation, conflicts with client-side apply', () => {
    assert.throws(() => apply('tool', { replicas: 2 }), ConflictError);
    assert.throws(() => apply('kubectl', { replicas: 2 }, { ...live, metadata: { name: 'w' } }), ConflictError);
  });

  test('an apply by kubectl updates the last-applied annotation, with sorted members and HTML escaped', () => {
    const { object } = apply('kubectl', { tags: ['<&>'], replicas: 1 });
    assert.equal(
      (object?.metadata as ObjectMeta | undefined)?.annotations?.[ANNOTATION],
      '{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w"},"spec":{"replicas":1,"tags":["\\u003c\\u0026\\u003e"]}}\n',
    );
  });

  test('an apply by another manager keeps the last-applied annotation', () => {
    const { object } = apply('tool', { replicas: 1, paused: true });
    assert.deepEqual(object?.metadata, live.metadata);
  });
});
