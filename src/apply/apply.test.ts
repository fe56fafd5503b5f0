import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SharedWidget, WIDGET, widget } from '../../test/widget.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { applyConfiguration } from './apply.ts';
import { ConflictError } from './conflict.ts';
import { type Convert, VersionError } from './typed-object.ts';

/** One write in a scenario, and what it leaves. */
interface Write {
  apply?: string;
  update?: string;
  force?: boolean;
  spec: JsonObject;
  /** The spec afterwards, or what the conflict says. */
  leaves?: JsonObject;
  conflict?: string;
  /** What managers apply afterwards. */
  owners?: Record<string, Json | undefined>;
}

const scenarios: Record<string, Write[]> = {
  'an apply of the same configuration again changes nothing': [
    { apply: 'a', spec: { replicas: 1 }, leaves: { replicas: 1 }, owners: { a: { 'f:replicas': {} } } },
    { apply: 'a', spec: { replicas: 1 }, leaves: { replicas: 1 }, owners: { a: { 'f:replicas': {} } } },
  ],
  'an apply that changes a field of another applier is a conflict': [
    { apply: 'a', spec: { replicas: 1, free: { k: 'v' } } },
    { apply: 'b', spec: { replicas: 2 }, conflict: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas' },
    {
      apply: 'b',
      spec: { replicas: 2, free: { k: 'w' } },
      conflict: 'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.replicas\n- .spec.free.k',
    },
  ],
  'a conflict with an update names the API version of the update': [
    { update: 'u', spec: { replicas: 1 } },
    {
      apply: 'b',
      spec: { replicas: 2 },
      conflict: 'Apply failed with 1 conflict: conflict with "u" using v1: .spec.replicas',
    },
  ],
  'two managers that apply the same value of a field share its ownership': [
    { apply: 'a', spec: { replicas: 1 } },
    { apply: 'b', spec: { replicas: 1 }, owners: { a: { 'f:replicas': {} }, b: { 'f:replicas': {} } } },
    { apply: 'a', spec: {}, leaves: { replicas: 1 }, owners: { a: {}, b: { 'f:replicas': {} } } },
  ],
  'an apply with force takes ownership of a conflicting field': [
    { apply: 'a', spec: { replicas: 1, paused: true } },
    {
      apply: 'b',
      force: true,
      spec: { replicas: 2 },
      leaves: { replicas: 2, paused: true },
      owners: { a: { 'f:paused': {} }, b: { 'f:replicas': {} } },
    },
  ],
  'an update takes ownership of the applied fields that it changes': [
    { apply: 'a', spec: { replicas: 1, paused: true } },
    { update: 'u', spec: { replicas: 2, paused: true }, owners: { a: { 'f:paused': {} } } },
  ],
  'an apply removes a field that its last owner leaves out': [
    { apply: 'a', spec: { replicas: 1, free: { k: 'v', l: 'v' } } },
    {
      apply: 'a',
      spec: { free: { l: 'v' } },
      leaves: { free: { l: 'v' } },
      owners: { a: { 'f:free': { 'f:l': {} } } },
    },
  ],
  'an apply that leaves out a field keeps it while an updater owns it': [
    { update: 'u', spec: { replicas: 1 } },
    { apply: 'a', spec: { replicas: 1 } },
    { apply: 'a', spec: {}, leaves: { replicas: 1 }, owners: { a: {} } },
  ],
  'an apply removes an item of a keyed list when no other manager owns the item': [
    { apply: 'a', spec: { items: [{ name: 'x', size: 1 }] } },
    { apply: 'b', spec: { items: [{ name: 'x', tags: ['t'] }] } },
    {
      apply: 'a',
      spec: {},
      leaves: { items: [{ name: 'x', tags: ['t'] }] },
      owners: { b: { 'f:items': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:tags': { 'v:"t"': {} } } } } },
    },
    { apply: 'b', spec: {} },
  ],
  'an updater that owns a field of an item does not keep the item from being removed': [
    { apply: 'a', spec: { items: [{ name: 'x' }, { name: 'y' }] } },
    { update: 'u', spec: { items: [{ name: 'x', size: 7 }, { name: 'y' }] } },
    { apply: 'a', spec: { items: [{ name: 'y' }] }, leaves: { items: [{ name: 'y' }] } },
  ],
  'members of a list of type set are owned and removed one by one': [
    { apply: 'a', spec: { tags: ['x', 'y'] } },
    { apply: 'b', spec: { tags: ['y', 'z'] } },
    { apply: 'a', spec: { tags: [] }, leaves: { tags: ['y', 'z'] }, owners: { a: undefined } },
  ],
  'an apply that leaves out the last owned member of a map keeps members that updates wrote': [
    { apply: 'a', spec: { free: { k: 'v' }, replicas: 1 } },
    { update: 'nobody', spec: { free: { k: 'v', unowned: 'v' }, replicas: 1 } },
    { apply: 'a', spec: { replicas: 1 }, leaves: { free: { unowned: 'v' }, replicas: 1 } },
  ],
  'an apply that changes an atomic list or map of another applier conflicts with the whole of it': [
    { apply: 'a', spec: { steps: ['one'], block: { k: 'v' } } },
    {
      apply: 'b',
      spec: { steps: ['two'], block: { l: 'v' } },
      conflict: 'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.block\n- .spec.steps',
    },
  ],
};

describe('server-side apply', () => {
  for (const [title, writes] of Object.entries(scenarios)) {
    test(title, () => {
      const shared = new SharedWidget();
      for (const write of writes) play(shared, write);
    });
  }

  test('fields that existed before the first apply belong to the manager before-first-apply', () => {
    const shared = new SharedWidget({ spec: { replicas: 1, paused: true } });
    shared.managers = [];
    assert.throws(() => shared.apply('a', { spec: { replicas: 2 } }), ConflictError);
    shared.apply('a', { spec: { replicas: 1 } });
    assert.deepEqual(shared.fieldsOf('before-first-apply', 'Update'), {
      'f:spec': { '.': {}, 'f:paused': {}, 'f:replicas': {} },
    });
  });

  test('an entry of managedFields gets a new time when its manager changes its fields, and none before', () => {
    const shared = new SharedWidget();
    shared.apply('a', { spec: { replicas: 1 } });
    const time = shared.managers[0]?.time;
    shared.apply('b', { spec: { replicas: 1 } });
    assert.equal(shared.managers.find(({ name }) => name === 'b')?.time, undefined);
    shared.apply('a', { spec: { replicas: 1 } });
    assert.equal(shared.managers.find(({ name }) => name === 'a')?.time, time);
    shared.apply('a', { spec: { replicas: 1, paused: true } });
    assert.notEqual(shared.managers.find(({ name }) => name === 'a')?.time, time);
  });

  test('an apply owns neither apiVersion and kind nor the name and UID of the object', () => {
    const shared = new SharedWidget();
    shared.apply('a', { apiVersion: 'v1', kind: 'Widget', metadata: { name: 'w', uid: 'u', labels: { l: '1' } } });
    assert.deepEqual(shared.fieldsOf('a'), { 'f:metadata': { 'f:labels': { 'f:l': {} } } });
  });
});

function play(shared: SharedWidget, write: Write): void {
  if (write.update !== undefined) shared.update(write.update, { spec: write.spec });
  else if (write.conflict === undefined)
    shared.apply(write.apply ?? '', { spec: write.spec }, { force: write.force === true });
  else {
    assert.throws(
      () => shared.apply(write.apply ?? '', { spec: write.spec }),
      (error) => error instanceof ConflictError && error.answer.message === write.conflict,
    );
  }
  if (write.leaves !== undefined) assert.deepEqual(shared.value.spec, write.leaves);
  for (const [name, fields] of Object.entries(write.owners ?? {})) {
    const owned = shared.fieldsOf(name) as JsonObject | undefined;
    assert.deepEqual(owned?.['f:spec'], fields, `what ${name} applies`);
  }
}

describe('server-side apply with entries of several API versions', () => {
  const now = '2026-01-01T00:00:00Z';
  const base = { empty: widget({}), force: false, ignored: undefined, now };
  const old = { name: 'old', operation: 'Apply', subresource: '', time: now } as const;

  /** In v2 `replicas` are called `amount`. */
  const renaming: Convert = (object, apiVersion) => {
    if (apiVersion === 'v0') return undefined;
    if (apiVersion === 'v3') throw new VersionError('not served');
    const spec = (object.value.spec ?? {}) as JsonObject;
    const [from, to] = apiVersion === 'v2' ? ['replicas', 'amount'] : ['amount', 'replicas'];
    const { [from]: moved, ...rest } = spec;
    const converted = moved === undefined ? rest : { ...rest, [to]: moved };
    return { apiVersion, type: WIDGET, value: { ...object.value, spec: converted } };
  };

  function apply(spec: JsonObject, managers: Parameters<typeof applyConfiguration>[1], name = 'new') {
    const live = widget({ spec: { replicas: 1, paused: true } });
    return applyConfiguration(
      { ...base, live, applied: { spec }, by: { name, subresource: '' }, convert: renaming },
      managers,
    );
  }

  test('a conflict is found, and named, in the API version of the entry', () => {
    const managers = [{ ...old, apiVersion: 'v2', fields: { 'f:spec': { 'f:amount': {} } } }];
    assert.throws(
      () => apply({ replicas: 2 }, managers),
      (error) => error instanceof ConflictError && error.answer.details?.causes?.[0]?.field === '.spec.amount',
    );
  });

  test('a manager that applies in another API version removes what it applied in the one before', () => {
    const managers = [{ ...old, apiVersion: 'v2', fields: { 'f:spec': { 'f:amount': {} } } }];
    const { object, managers: after } = apply({ paused: true }, managers, 'old');
    assert.deepEqual(object, { spec: { paused: true } });
    assert.deepEqual(after, [{ ...old, apiVersion: 'v1', fields: { 'f:spec': { 'f:paused': {} } } }]);
  });

  test('an entry of an unknown API version is dropped, and one of a version that cannot be converted fails the apply', () => {
    const fields = { 'f:spec': { 'f:replicas': {} } };
    const { managers } = apply({ paused: true }, [{ ...old, apiVersion: 'v0', fields }]);
    assert.deepEqual(
      managers.map(({ name }) => name),
      ['new'],
    );
    assert.throws(
      () => apply({ paused: true }, [{ ...old, apiVersion: 'v3', fields }]),
      (error) => error instanceof VersionError && error.message.includes('the entry of "old"'),
    );
  });
});
