import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Narration } from '../../test/narration.ts';
import { errors } from '../api/errors.ts';
import type { JsonObject } from '../api/object.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { storageKey } from './registry.ts';

const NO_OPTIONS: DeleteOptions = {
  ...{ dryRun: false, gracePeriodSeconds: undefined, preconditions: undefined, propagationPolicy: undefined },
};

/** A story in which an object `a` has been created. */
async function begun(
  rules: ConstructorParameters<typeof Narration>[0] = {},
  metadata: JsonObject = {},
): Promise<Narration> {
  const story = new Narration(rules);
  story.allocate();
  await createObject(story.context, story.request(''), story.body({ name: 'a', ...metadata }));
  story.told();
  return story;
}

async function remove(story: Narration, options: Partial<DeleteOptions> = {}) {
  const { object, removed } = await deleteObject(story.context, story.request('a'), { ...NO_OPTIONS, ...options });
  return { removed, object: story.read(object) };
}

describe('a delete', () => {
  it('a delete calls admission, removes the object at once, and releases its allocations', async () => {
    await using story = await begun();
    assert.equal((await remove(story)).removed, true);
    assert.deepEqual(story.told(), [
      'admission: mutating and validating',
      'store: delete if unchanged',
      'allocator: the object is gone',
    ]);
    await assert.rejects(remove(story), { code: 404 });
  });

  it('a delete sets deletionTimestamp on an object with a finalizer, and keeps it', async () => {
    await using story = await begun({}, { finalizers: ['example.com/wait'] });
    const { removed, object } = await remove(story);
    assert.equal(removed, false);
    assert.equal(object.metadata.deletionTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(object.metadata.deletionGracePeriodSeconds, 0);
    assert.equal(object.metadata.generation, 2, 'being deleted is a change');
    assert.deepEqual(story.told(), ['admission: mutating and validating', 'store: put if unchanged']);
  });

  it('a delete of an object with deletionTimestamp changes nothing', async () => {
    await using story = await begun({}, { finalizers: ['example.com/wait'] });
    const first = await remove(story);
    story.told();
    const second = await remove(story);
    assert.equal(second.object.metadata.deletionTimestamp, first.object.metadata.deletionTimestamp);
    assert.deepEqual(story.told(), ['admission: mutating and validating']);
  });

  it('a delete sets the grace period of a pod, which a further delete may only shorten', async () => {
    await using story = await begun({ deletion: { gracePeriod: (_object, requested) => requested ?? 30 } });
    const { metadata } = (await remove(story)).object;
    assert.deepEqual([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds], ['2026-01-01T00:00:30Z', 30]);
    const longer = (await remove(story, { gracePeriodSeconds: 60 })).object.metadata;
    assert.equal(longer.deletionGracePeriodSeconds, 30);
    const shorter = (await remove(story, { gracePeriodSeconds: 10 })).object.metadata;
    assert.deepEqual([shorter.deletionTimestamp, shorter.deletionGracePeriodSeconds], ['2026-01-01T00:00:10Z', 10]);
  });

  it('a delete with grace period 0 stores deletionTimestamp before the object is removed, so that watches see it', async () => {
    await using story = await begun({ deletion: { gracePeriod: (_object, requested) => requested ?? 30 } });
    assert.equal((await remove(story, { gracePeriodSeconds: 0 })).removed, true);
    assert.deepEqual(story.told(), [
      'admission: mutating and validating',
      'store: put if unchanged',
      'admission: mutating and validating',
      'store: delete if unchanged',
      'allocator: the object is gone',
    ]);
  });

  it('a delete with grace period 0 succeeds if another client removes the object first', async () => {
    await using story = await begun({ deletion: { gracePeriod: (_object, requested) => requested ?? 30 } });
    const { store } = await story.context.registry.storage(story.definition);
    const key = storageKey(story.definition, 'default', 'a');
    story.once('store: delete if unchanged', () => void store.delete(key, 'any'));
    const { removed, object } = await remove(story, { gracePeriodSeconds: 0 });
    assert.equal(removed, true);
    assert.equal(object.metadata.deletionGracePeriodSeconds, 0);
    await assert.rejects(remove(story, { gracePeriodSeconds: 0 }), { code: 404 });
  });

  it('a delete with propagationPolicy Orphan or Foreground adds the finalizer for the garbage collector', async () => {
    for (const [propagationPolicy, finalizers] of [
      ['Orphan', ['orphan']],
      ['Foreground', ['foregroundDeletion']],
    ] as const) {
      await using story = await begun();
      const { removed, object } = await remove(story, { propagationPolicy });
      assert.equal(removed, false);
      assert.deepEqual(object.metadata.finalizers, finalizers);
    }
  });

  it('a delete checks its preconditions before admission', async () => {
    await using story = await begun();
    await assert.rejects(remove(story, { preconditions: { uid: 'other' } }), /UID in the precondition \(other\)/);
    await assert.rejects(remove(story, { preconditions: { resourceVersion: '1' } }), { code: 409 });
    assert.deepEqual(story.told(), []);
  });

  it('a delete that admission denies keeps the object unchanged', async () => {
    await using story = await begun();
    story.once('admission: mutating and validating', () => {
      throw errors.forbidden({ group: 'policy', resource: 'poddisruptionbudgets', name: 'a' }, 'no');
    });
    await assert.rejects(remove(story), { code: 403 });
    assert.deepEqual(story.told(), ['admission: mutating and validating']);
  });

  it('a delete as a dry run calls admission and removes nothing', async () => {
    await using story = await begun();
    assert.equal((await remove(story, { dryRun: true })).removed, true);
    assert.deepEqual(story.told(), ['admission: mutating and validating']);
    assert.equal((await remove(story)).removed, true, 'the object was still there');
  });
});
