import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { builtinResources } from '../resources/builtin/resources.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { runtimeClass, runtimeOverhead } from './runtime-class.ts';

async function admitWith(part: typeof runtimeClass, found: JsonObject, spec: JsonObject): Promise<JsonObject> {
  const plugin: AdmissionPlugin = part({
    find: async (_kind, _namespace, name) => (name === 'box' ? { metadata: { name }, ...found } : undefined),
    all: async () => [],
  });
  const definition = builtinResources.find((each) => each.resource === 'pods');
  const request = { definition, namespace: 'n', name: '', subresource: '', warnings: [] };
  const object: ApiObject = { metadata: { name: 'a' }, spec };
  await plugin.admit({ request, operation: 'create', object, dryRun: false } as unknown as AdmissionRequest);
  return spec;
}

const forbidden = (why: string) => ({ code: 403, message: `pods "a" is forbidden: ${why}` });
const NAMED = { runtimeClassName: 'box' };
const OVERHEAD = { overhead: { podFixed: { cpu: '1', memory: '1Ki' } } };
const OTHER = forbidden("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
const OWN = forbidden('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');

describe('the RuntimeClass of a pod', () => {
  it('a pod without a RuntimeClass is unchanged', async () => {
    assert.deepEqual(await admitWith(runtimeClass, OVERHEAD, {}), {});
  });

  it('a pod with a RuntimeClass that does not exist is forbidden', async () => {
    const missing = forbidden('pod rejected: RuntimeClass "A b" not found');
    await assert.rejects(admitWith(runtimeClass, {}, { runtimeClassName: 'A b' }), missing);
    await assert.rejects(admitWith(runtimeClass, {}, { runtimeClassName: 'a/b' }), {
      code: 500,
      message: 'invalid resource name "a/b": [may not contain \'/\']',
    });
    await assert.rejects(admitWith(runtimeClass, {}, { runtimeClassName: '' }), {
      code: 500,
      message: 'resource name may not be empty',
    });
  });

  it('a pod gets the overhead of its RuntimeClass, and may itself only specify the same', async () => {
    const { podFixed } = OVERHEAD.overhead;
    assert.deepEqual(await admitWith(runtimeClass, OVERHEAD, { ...NAMED }), { ...NAMED, overhead: podFixed });
    const same = { ...NAMED, overhead: { memory: '1024', cpu: '1' } };
    assert.deepEqual(await admitWith(runtimeClass, OVERHEAD, same), { ...NAMED, overhead: podFixed });
    await assert.rejects(admitWith(runtimeClass, OVERHEAD, { ...NAMED, overhead: { cpu: '1' } }), OTHER);
  });

  it('a pod gets the node selector and the tolerations of its RuntimeClass', async () => {
    const toleration = { key: 'box', operator: 'Exists' };
    const scheduling = { nodeSelector: { box: 'yes' }, tolerations: [toleration] };
    const spec = { ...NAMED, nodeSelector: { zone: 'a' }, tolerations: [{ key: 'own', operator: 'Exists' }] };
    assert.deepEqual(await admitWith(runtimeClass, { scheduling }, spec), {
      ...NAMED,
      nodeSelector: { zone: 'a', box: 'yes' },
      tolerations: [{ key: 'own', operator: 'Exists' }, toleration],
    });
    await assert.rejects(
      admitWith(runtimeClass, { scheduling }, { ...NAMED, nodeSelector: { box: 'no' } }),
      forbidden('conflict: runtimeClass.scheduling.nodeSelector[box] = yes; pod.spec.nodeSelector[box] = no'),
    );
  });

  it('a change of the admitted pod does not change its RuntimeClass', async () => {
    const scheduling = { nodeSelector: { box: 'yes' }, tolerations: [{ key: 'box' }] };
    const given = structuredClone({ ...OVERHEAD, scheduling });
    const spec = await admitWith(runtimeClass, given, { ...NAMED });
    (spec['overhead'] as JsonObject)['cpu'] = '9';
    (spec['nodeSelector'] as JsonObject)['box'] = 'changed';
    ((spec['tolerations'] as JsonObject[])[0] as JsonObject)['key'] = 'changed';
    assert.deepEqual(given, { ...OVERHEAD, scheduling });
  });
});

describe('the overhead of a pod', () => {
  it('a pod whose overhead differs from that of its RuntimeClass is forbidden', async () => {
    await admitWith(runtimeOverhead, OVERHEAD, { ...NAMED, overhead: { cpu: '1000m', memory: '1Ki' } });
    await assert.rejects(admitWith(runtimeOverhead, OVERHEAD, { ...NAMED }), OTHER);
  });

  it('a pod with overhead but without a RuntimeClass that defines it is forbidden', async () => {
    await admitWith(runtimeOverhead, {}, {});
    await admitWith(runtimeOverhead, {}, { ...NAMED });
    await assert.rejects(admitWith(runtimeOverhead, {}, { overhead: { cpu: '1' } }), OWN);
    await assert.rejects(admitWith(runtimeOverhead, {}, { ...NAMED, overhead: { cpu: '1' } }), OWN);
  });
});
