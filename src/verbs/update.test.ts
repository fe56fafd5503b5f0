import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Narration } from '../../test/narration.ts';
import { errors } from '../api/errors.ts';
import type { JsonObject } from '../api/object.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { updateObject } from './update.ts';
import { Write } from './write.ts';
import { updateStored } from './write-object.ts';
import { NO_WRITE_OPTIONS } from './write-options.ts';

const authorizeCreate = (): void => {};

/** A story in which an object `a` has been created. */
async function begun(rules: ConstructorParameters<typeof Narration>[0] = {}): Promise<Narration> {
  const story = new Narration(rules);
  await createObject(story.context, story.request(''), story.body({ name: 'a' }, { minAvailable: 1 }));
  story.told();
  return story;
}

async function put(
  story: Narration,
  metadata: JsonObject,
  { spec = {}, status = {}, subresource = '', query = '' } = {},
) {
  const body = story.body({ name: 'a', ...metadata }, spec, status);
  const request = story.request('a', { subresource, query });
  const { object } = await updateObject(story.context, request, { body, authorizeCreate });
  return story.read(object);
}

describe('an update', () => {
  it('an update drops the link of an object when it is stored', async () => {
    await using story = await begun();
    const linked = async (query: string) => (await put(story, { selfLink: '/x' }, { query })).metadata.selfLink;
    assert.deepEqual([await linked('dryRun=All'), await linked('')], ['/x', undefined]);
  });

  it('an update takes the steps of a create, and is stored only if the object has not changed since it was read', async () => {
    await using story = await begun();
    await put(story, {}, { spec: { minAvailable: 2 } });
    assert.deepEqual(story.told(), [
      'rules: defaults',
      'rules: load',
      'admission: mutating',
      'rules: prepareForUpdate',
      'rules: validate',
      'rules: validateUpdate',
      'rules: warnings',
      'admission: validating',
      'quota: charged',
      'store: put if unchanged',
    ]);
  });

  it('an update with an unknown result does not conflict with itself, and is not applied twice', async () => {
    await using story = await begun();
    story.loseAnswer();
    await assert.rejects(put(story, {}, { spec: { minAvailable: 2 } }), { code: 504, reason: 'Timeout' });
    assert.equal(story.told().filter((step) => step.startsWith('store:')).length, 1);
  });

  it('an update keeps the metadata that the server sets, and increments the generation for changes of the spec', async () => {
    await using story = await begun();
    const before = await put(story, {}, { spec: { minAvailable: 1 } });
    const after = await put(
      story,
      { creationTimestamp: '2001-01-01T00:00:00Z', generation: 70, labels: { a: 'b' } },
      { spec: { minAvailable: 1 } },
    );
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.equal(after.metadata.creationTimestamp, before.metadata.creationTimestamp);
    assert.equal(after.metadata.generation, 1, 'labels are not content');
    assert.equal((await put(story, {}, { spec: { minAvailable: 3 } })).metadata.generation, 2);
  });

  it('an update of the object keeps its status, and one of the status keeps everything else', async () => {
    await using story = await begun();
    const status = { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    const other = await put(story, {}, { spec: { minAvailable: 5 }, status, subresource: 'status' });
    assert.deepEqual(other.spec, { minAvailable: 1 });
    assert.deepEqual(other['status'], status);
    assert.equal(Object.keys(other).at(-1), 'status', 'the order of members stays');
    assert.deepEqual(story.told(), [
      'rules: defaults',
      'rules: load',
      'admission: mutating',
      'rules of the status: prepareForUpdate',
      'rules of the status: validateUpdate',
      'admission: validating',
      'quota: charged',
      'store: put if unchanged',
    ]);
    const next = await put(story, {}, { spec: { minAvailable: 5 }, status: { ...status, currentHealthy: 9 } });
    assert.deepEqual(next['status'], status);
  });

  it('an update that changes nothing is not stored, and its allocations are released', async () => {
    await using story = await begun();
    story.allocate();
    const first = await put(story, {}, { spec: { minAvailable: 2 } });
    story.told();
    const again = await put(story, {}, { spec: { minAvailable: 2 } });
    assert.equal(again.metadata.generation, first.metadata.generation);
    assert.deepEqual(
      story.told().filter((step) => /^(allocator|quota|store)/.test(step)),
      ['allocator: gives', 'quota: charged', 'quota: given back', 'allocator: what was given is free'],
    );
  });

  it('an update without a resourceVersion is computed again if another write came in between', async () => {
    await using story = await begun();
    let other: Promise<unknown> = Promise.resolve();
    story.once('admission: validating', () => {
      other = put(story, { labels: { by: 'another' } }, { spec: { minAvailable: 7 } });
    });
    await Promise.all([put(story, {}, { spec: { minAvailable: 2 } }), other]);
    await other;
    const told = story.told().filter((step) => /^(quota|store)/.test(step));
    assert.equal(told.filter((step) => step === 'store: put if unchanged').length, 3, 'one of three was in vain');
    assert.equal(told.filter((step) => step === 'quota: charged').length, 3);
    assert.equal(told.filter((step) => step === 'quota: given back').length, 1, 'what it took is given back');
  });

  it('an update without a resourceVersion is computed again as long as other writes come in between', async () => {
    await using story = await begun();
    let others = 20;
    const written = await updateStored(new Write(story.context, story.request('a'), NO_WRITE_OPTIONS), {
      change: async (previous) => {
        if (others-- > 0) await put(story, { labels: { by: String(others) } });
        return { next: { ...previous, metadata: { ...previous.metadata, annotations: { last: 'yes' } } } };
      },
    });
    const { labels, annotations } = story.read(written.object).metadata;
    assert.deepEqual({ labels, annotations }, { labels: { by: '0' }, annotations: { last: 'yes' } });
  });

  it('an update is given up between two attempts once its client has disconnected', async () => {
    await using story = await begun();
    let attempts = 0;
    const life = {
      get isAbandoned() {
        return attempts === 3;
      },
      endsMs: undefined,
      whenAbandoned: () => () => {},
    };
    const write = new Write(story.context, { ...story.request('a'), life }, NO_WRITE_OPTIONS);
    const update = updateStored(write, {
      change: async (previous) => {
        attempts += 1;
        await put(story, { labels: { by: String(attempts) } });
        return { next: { ...previous, metadata: { ...previous.metadata, labels: { by: 'me' } } } };
      },
    });
    await assert.rejects(update, errors.abandoned());
    assert.equal(attempts, 3);
  });

  it('an update with an old resourceVersion is rejected after mutating admission, as in kube-apiserver', async () => {
    await using story = await begun();
    const { resourceVersion = '' } = (await put(story, {}, { spec: { minAvailable: 2 } })).metadata;
    await put(story, {}, { spec: { minAvailable: 3 } });
    story.told();
    await assert.rejects(put(story, { resourceVersion }, { spec: {} }), {
      code: 409,
      reason: 'Conflict',
    });
    assert.deepEqual(story.told(), ['rules: defaults', 'rules: load', 'admission: mutating']);
  });

  it('an update of a missing object is not found', async () => {
    await using story = new Narration();
    await assert.rejects(put(story, {}), { code: 404 });
  });

  it('an update creates a missing object if the kind allows it, once the caller is authorized to create', async () => {
    await using story = new Narration({ createOnUpdate: true });
    const asked: string[] = [];
    const { created } = await updateObject(story.context, story.request('a'), {
      body: story.body({ name: 'a' }),
      authorizeCreate: () => void asked.push('may create?', ...story.told()),
    });
    assert.ok(created);
    assert.deepEqual(asked, ['may create?', 'rules: defaults']);
    assert.ok(story.told().includes('rules: prepareForCreate'));
  });

  it('an update that removes the last finalizer of an object that is being deleted removes the object', async () => {
    await using story = new Narration();
    story.allocate();
    const metadata = { name: 'a', finalizers: ['example.com/wait'] };
    await createObject(story.context, story.request(''), story.body(metadata));
    await deleteObject(story.context, story.request('a'), {
      ...{ dryRun: false, gracePeriodSeconds: undefined, preconditions: undefined, propagationPolicy: undefined },
    });
    story.told();
    await put(story, { finalizers: [] });
    assert.deepEqual(story.told().slice(-4), [
      'store: delete if unchanged',
      'allocator: the object is gone',
      'quota: given back',
      'allocator: what was given is free',
    ]);
  });
});
