import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Narration } from '../../test/narration.ts';
import type { Admission } from '../admission/chain.ts';
import { errors, fieldError } from '../api/errors.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { emulationOf } from '../lifecycle/version.ts';
import { applyObject } from './apply.ts';
import { createObject } from './create.ts';
import { getObject } from './get.ts';

describe('a create', () => {
  it('a create decodes, defaults, calls mutating admission, prepares, validates, calls validating admission and stores', async () => {
    await using story = new Narration();
    await createObject(story.context, story.request(''), story.body({ name: 'a' }));
    assert.deepEqual(story.told(), [
      'rules: defaults',
      'rules: load',
      'admission: mutating',
      'rules: prepareForCreate',
      'rules: validate',
      'rules: validateCreate',
      'rules: warnings',
      'admission: validating',
      'quota: charged',
      'store: put if absent',
    ]);
  });

  it('a create sets the UID and other metadata after mutating admission, whatever the client sends', async () => {
    await using story = new Narration();
    const said = { name: 'a', uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/x' };
    const { metadata } = story.read(await createObject(story.context, story.request(''), story.body(said)));
    assert.equal(metadata.namespace, 'default');
    assert.notEqual(metadata.uid, 'mine');
    assert.equal(metadata.creationTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(metadata.generation, 1);
    assert.equal(metadata.selfLink, undefined);
  });

  it('a create makes the creator the owner of the fields in the body', async () => {
    await using story = new Narration();
    const body = story.body({ name: 'a' }, { minAvailable: 1 });
    const { metadata } = story.read(await createObject(story.context, story.request(''), body));
    assert.deepEqual(
      metadata.managedFields?.map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 })),
      [{ manager: 'test', operation: 'Update', fieldsV1: { 'f:spec': { 'f:minAvailable': {} } } }],
    );
  });

  it('a create is validated by the kind before anything is allocated', async () => {
    await using story = new Narration({ validate: () => [fieldError.required('spec.minAvailable')] });
    await assert.rejects(createObject(story.context, story.request(''), story.body({ name: 'a' })), { code: 422 });
    const told = story.told();
    assert.deepEqual(told.slice(-2), ['rules: prepareForCreate', 'rules: validateCreate']);
  });

  it('a create keeps its allocations once the object is stored', async () => {
    await using story = new Narration();
    story.allocate();
    await createObject(story.context, story.request(''), story.body({ name: 'a' }));
    const told = story.told();
    assert.ok(told.indexOf('allocator: gives') < told.indexOf('rules: validate'), 'given before it is validated');
    assert.deepEqual(told.slice(-2), ['store: put if absent', 'allocator: the object keeps what it was given']);
  });

  it('releases its allocations if validation rejects it', async () => {
    await using story = new Narration({ validate: () => [fieldError.required('spec.minAvailable')] });
    story.allocate();
    await assert.rejects(createObject(story.context, story.request(''), story.body({ name: 'a' })), { code: 422 });
    assert.equal(story.told().at(-1), 'allocator: what was given is free');
  });

  it('releases all allocations in reverse order if the name exists', async () => {
    await using story = new Narration();
    story.allocate();
    await createObject(story.context, story.request(''), story.body({ name: 'a' }));
    story.told();
    await assert.rejects(createObject(story.context, story.request(''), story.body({ name: 'a' })), {
      code: 409,
      reason: 'AlreadyExists',
    });
    assert.deepEqual(story.told().slice(-3), [
      'store: put if absent',
      'quota: given back',
      'allocator: what was given is free',
    ]);
  });

  it('a create with generateName tries another name if one exists, each attempt with its own allocations', async () => {
    await using story = new Narration();
    story.allocate();
    story.once('store: put if absent', () => {
      throw errors.alreadyExists({ group: 'policy', resource: 'poddisruptionbudgets', name: 'taken' }, false);
    });
    const stored = await createObject(story.context, story.request(''), story.body({ generateName: 'a-' }));
    assert.match(story.read(stored).metadata.name ?? '', /^a-[a-z0-9]{5}$/);
    const told = story.told();
    assert.equal(told.filter((step) => step === 'admission: mutating').length, 1, 'admission is asked once');
    assert.deepEqual(
      told.filter((step) => /^(allocator|quota|store)/.test(step)),
      [
        ...['allocator: gives', 'quota: charged', 'store: put if absent'],
        ...['quota: given back', 'allocator: what was given is free'],
        ...['allocator: gives', 'quota: charged', 'store: put if absent'],
        'allocator: the object keeps what it was given',
      ],
    );
  });

  for (const [what, gates, attempts] of [
    ['eight generated names', new FeatureGates(), 8],
    [
      'one generated name with the gate RetryGenerateName off',
      new FeatureGates({ RetryGenerateName: false }, emulationOf(31)),
      1,
    ],
  ] as const) {
    it(`a create is tried with ${what}, and then rejected`, async () => {
      for (const taken of [attempts - 1, attempts]) {
        await using story = new Narration({}, gates);
        let left: number = taken;
        const refuse = () => {
          if (--left > 0) story.once('store: put if absent', refuse);
          throw errors.alreadyExists({ group: 'policy', resource: 'poddisruptionbudgets', name: 'taken' }, false);
        };
        if (taken > 0) story.once('store: put if absent', refuse);
        const creating = createObject(story.context, story.request(''), story.body({ generateName: 'a-' }));
        if (taken < attempts) await creating;
        else {
          const message =
            /^poddisruptionbudgets.policy "a-[a-z0-9]{5}" already exists, the server was not able to generate/;
          await assert.rejects(creating, { code: 409, reason: 'AlreadyExists', message });
        }
        assert.equal(story.told().filter((step) => step.startsWith('store')).length, attempts);
      }
    });
  }

  it('a create with name and generateName uses the name, and is tried once', async () => {
    await using story = new Narration();
    const create = () => createObject(story.context, story.request(''), story.body({ name: 'a', generateName: 'b-' }));
    assert.equal(story.read(await create()).metadata.name, 'a');
    story.told();
    await assert.rejects(create(), {
      code: 409,
      message:
        'poddisruptionbudgets.policy "a" already exists, the server was not able to generate a unique name for the object',
    });
    assert.equal(story.told().filter((step) => step.startsWith('store')).length, 1);
  });

  it('a create by an apply stores the object under the name in the path, even if a webhook changes the name', async () => {
    await using story = new Narration();
    const { admission } = story.context;
    const renaming: Admission = {
      ...admission,
      admit: ({ object }) => {
        if (object !== undefined) object.metadata.name = 'renamed';
        return undefined;
      },
    };
    const { definition } = story;
    const value = { apiVersion: 'policy/v1', kind: definition.kind, metadata: { name: 'a' } };
    const body = { parse: async () => ({ value, duplicates: [] }), authorizeCreate: () => undefined };
    const context = { ...story.context, admission: renaming };
    const path = (name: string) => story.request(name, { query: 'fieldManager=test' });
    const { object, created } = await applyObject(context, path('a'), body);
    assert.equal(created, true);
    assert.equal(story.read(object).metadata.name, 'renamed');
    assert.equal(story.read(await getObject(context.registry, path('a'))).metadata.name, 'renamed');
    await assert.rejects(async () => getObject(context.registry, path('renamed')), { code: 404 });
  });

  it('a create as a dry run does everything except storing', async () => {
    await using story = new Narration();
    const request = story.request('', { query: 'dryRun=All' });
    const { revision } = await createObject(story.context, request, story.body({ name: 'a' }));
    assert.equal(revision, 0);
    assert.equal(story.told().at(-1), 'quota: charged');
  });

  it('a create that admission denies is neither prepared nor stored', async () => {
    await using story = new Narration();
    story.once('admission: mutating', () => {
      throw errors.forbidden({ group: 'policy', resource: 'poddisruptionbudgets', name: 'a' }, 'no');
    });
    await assert.rejects(createObject(story.context, story.request(''), story.body({ name: 'a' })), { code: 403 });
    assert.equal(story.told().at(-1), 'admission: mutating');
  });

  it('a create into another namespace than that of the path is a bad request', async () => {
    await using story = new Narration();
    const body = story.body({ name: 'a', namespace: 'other' });
    await assert.rejects(createObject(story.context, story.request(''), body), {
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });
});
