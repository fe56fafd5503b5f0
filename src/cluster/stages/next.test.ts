import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { Budget } from './budget.ts';
import { compileNext, finalizersPatch, renderedPatch } from './next.ts';
import type { StageNext } from './stage-objects.ts';

const OBJECT: ApiObject = { metadata: { name: 'a', resourceVersion: '5', finalizers: ['x', 'y'] }, spec: { size: 2 } };
const NOWHERE = { nowMs: 0, startedMs: 0, nodeName: '', nodeAddress: () => '', podAddress: () => '' };

async function patches(next: StageNext, isTyped = false) {
  const look = { object: OBJECT, nowMs: 0, budget: new Budget(20_000), random: new SeededRandom(1) };
  const compiled = compileNext(next, { isTyped }).patches;
  return await Promise.all(
    compiled.map(async (each) => {
      const { type, text } = await renderedPatch(each, look, NOWHERE);
      return { type, subresource: each.subresource, username: each.username, patch: JSON.parse(text) as unknown };
    }),
  );
}

test('a patch of a Stage is made by a template in YAML, below a member of the object', async () => {
  const template = 'size: {{ .spec.size }}\nname: {{ .metadata.name | Quote }}';
  assert.deepEqual(
    await patches({
      patches: [
        { root: 'spec', template },
        { template, type: 'strategic' },
      ],
    }),
    [
      { type: 'merge', subresource: '', username: undefined, patch: { spec: { size: 2, name: 'a' } } },
      { type: 'strategic', subresource: '', username: undefined, patch: { size: 2, name: 'a' } },
    ],
  );
  const [typed] = await patches({ patches: [{ template }] }, true);
  assert.equal(typed?.type, 'strategic');
});

test('a JSON patch of a Stage has its paths below a member of the object', async () => {
  const template = '[{op: replace, path: /size, value: 3}]';
  const [patch] = await patches({ patches: [{ root: 'spec', type: 'json', template, subresource: 'scale' }] });
  assert.deepEqual(patch, {
    ...{ type: 'json', subresource: 'scale', username: undefined },
    patch: [{ op: 'replace', path: '/spec/size', value: 3 }],
  });
  await assert.rejects(patches({ patches: [{ root: 'a', type: 'json', template: 'a: 1' }] }), /must be a list/);
});

test('the old form of a Stage patches the status', async () => {
  const next = { statusTemplate: 'phase: Done', statusPatchAs: { username: 'jane' } };
  const patch = { status: { phase: 'Done' } };
  assert.deepEqual(await patches(next), [{ type: 'merge', subresource: 'status', username: 'jane', patch }]);
  assert.deepEqual(await patches({ ...next, statusSubresource: '' }), [
    { type: 'merge', subresource: '', username: 'jane', patch },
  ]);
  assert.equal((await patches({ ...next, patches: [{ template: 'a: 1' }] }))[0]?.subresource, '');
});

test('a template of a Stage that makes no YAML is an error', async () => {
  await assert.rejects(patches({ statusTemplate: 'a: [' }), /yaml/);
});

test('a Stage adds and removes finalizers of the version that it has seen', () => {
  const after = (wanted: Parameters<typeof finalizersPatch>[1]) => {
    const patch = finalizersPatch(OBJECT, wanted);
    return patch && (JSON.parse(patch.text) as { metadata: object }).metadata;
  };
  const resourceVersion = '5';
  assert.deepEqual(after({ add: [{ value: 'z' }, { value: 'x' }] }), { resourceVersion, finalizers: ['x', 'y', 'z'] });
  assert.deepEqual(after({ remove: [{ value: 'x' }] }), { resourceVersion, finalizers: ['y'] });
  assert.deepEqual(after({ empty: true }), { resourceVersion, finalizers: [] });
  assert.deepEqual(after({ empty: true, add: [{ value: 'z' }] }), { resourceVersion, finalizers: ['z'] });
  assert.equal(after({ remove: [{ value: 'z' }] }), undefined);
});
