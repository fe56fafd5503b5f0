// Rules that alpha gates of Kubernetes 1.35 to 1.37 add or relax, in the real pipeline.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const PODS = '/api/v1/namespaces/default/pods';

/** Applies with a dry run: the errors of an object, or none. */
async function errors(server: TestServer, path: string, object: object): Promise<string[]> {
  const { body } = await server.request('POST', `${path}?dryRun=All`, object);
  const { details, message, status } = body as Body;
  if (status !== 'Failure') return [];
  return details?.causes?.map(({ field, message: why }: Body) => `${field}: ${why}`) ?? [message];
}

const pod = (spec: object, container: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});
const tolerating = (operator: string, value: string) => pod({ tolerations: [{ key: 'k', operator, value }] });
const probing = (httpGet: object) => pod({}, { livenessProbe: { httpGet: { port: 80, ...httpGet } } });

describe('rules behind alpha gates of 1.37', () => {
  let on: TestServer;
  let off: TestServer;
  before(async () => {
    const featureGates = { AllAlpha: true, AllBeta: true };
    on = await startTestServer({ kubernetesVersion: '1.37', featureGates, runtimeConfig: { 'api/all': 'true' } });
    off = await startTestServer({ kubernetesVersion: '1.37' });
    for (const server of [on, off]) {
      await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    }
  });
  after(async () => {
    await on.close();
    await off.close();
  });

  test('tolerations have the operators Gt and Lt for integers', async () => {
    assert.deepEqual(await errors(on, PODS, tolerating('Gt', '-5')), []);
    const place = 'spec.tolerations[0]';
    assert.deepEqual(await errors(on, PODS, tolerating('Lt', '007')), [
      `${place}.value: Invalid value: "007": must be a valid decimal integer in canonical form`,
    ]);
    assert.deepEqual(await errors(on, PODS, tolerating('Lt', '99999999999999999999')), [
      `${place}.value: Invalid value: "99999999999999999999": strconv.ParseInt: parsing "99999999999999999999": value out of range`,
    ]);
    assert.deepEqual(await errors(off, PODS, tolerating('Lt', '5')), [
      `${place}.operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"`,
    ]);
  });

  test('a pod with hostNetwork may have hostUsers: false', async () => {
    const asked = pod({ hostNetwork: true, hostUsers: false });
    assert.deepEqual(await errors(on, PODS, asked), []);
    assert.deepEqual(await errors(off, PODS, asked), ['spec.hostNetwork: Forbidden: when `hostUsers` is false']);
  });

  test('a pod has a schedulingGroup or evictionResponders', async () => {
    const group = 'spec.schedulingGroup';
    assert.deepEqual(await errors(on, PODS, pod({ schedulingGroup: {} })), [
      `${group}.podGroupName: Invalid value: null: must specify one of: \`podGroupName\``,
    ]);
    const evictionResponders = [{ name: 'foo.k8s.io/a', priority: 5 }];
    assert.deepEqual(await errors(on, PODS, pod({ schedulingGroup: { podGroupName: 'g' }, evictionResponders })), [
      `${group}: Forbidden: may not be set when evictionResponders is set`,
      'spec.evictionResponders[0].name: Invalid value: "foo.k8s.io/a": domain names *.k8s.io, *.kubernetes.io are reserved',
      'spec.evictionResponders[0].priority: Invalid value: 5: priorities 0-999 are reserved for responders with *.k8s.io suffix',
    ]);
  });

  test('probes, volume mounts and emptyDir have new options', async () => {
    const probe = 'spec.containers[0].livenessProbe.httpGet';
    assert.deepEqual(await errors(on, PODS, probing({ protocol: 'HTTP2' })), []);
    assert.deepEqual(await errors(on, PODS, probing({ protocol: 'H2C' })), [
      `${probe}.protocol: Unsupported value: "H2C": supported values: "HTTP1", "HTTP2"`,
    ]);
    assert.deepEqual(await errors(on, PODS, probing({ protocol: 'HTTP2', scheme: 'HTTPS' })), [
      `${probe}.protocol: Invalid value: "HTTP2": is only supported with HTTP (H2C)`,
    ]);
    const mounting = (bindMountOptions: string[]) =>
      pod(
        { volumes: [{ name: 'v', emptyDir: {} }] },
        { volumeMounts: [{ name: 'v', mountPath: '/v', bindMountOptions }] },
      );
    const options = 'spec.containers[0].volumeMounts[0].bindMountOptions';
    assert.deepEqual(await errors(on, PODS, mounting(['noexec', 'x', 'noexec'])), [
      `${options}[1]: Unsupported value: "x": supported values: "nodev", "noexec", "nosuid"`,
      `${options}[2]: Duplicate value: "noexec"`,
    ]);
    assert.deepEqual(await errors(on, PODS, pod({ volumes: [{ name: 'v', emptyDir: { mode: 0o2000 } }] })), [
      'spec.volumes[0].emptyDir.mode: Invalid value: 1024: must be a number between 0 and 01777 (octal), both inclusive',
    ]);
  });

  test('a StatefulSet has the update strategy that recreates its pods', async () => {
    const path = '/apis/apps/v1/namespaces/default/statefulsets';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = (updateStrategy: object) => ({
      metadata: { name: 's' },
      spec: { selector: { matchLabels: { a: 'b' } }, template, updateStrategy },
    });
    assert.deepEqual(await errors(on, path, set({ type: 'Recreate' })), []);
    assert.deepEqual(await errors(on, path, set({ type: 'Recreate', rollingUpdate: { partition: 1 } })), [
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ]);
    const [told = ''] = await errors(off, path, set({ type: 'Recreate' }));
    assert.match(told, /must be 'RollingUpdate' or 'OnDelete'$/);
  });

  test('the node affinity of a PersistentVolume may change', async () => {
    const volume = (value: string) => ({
      metadata: { name: 'v' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }] },
        },
      },
    });
    const path = '/api/v1/persistentvolumes';
    const changed = async (server: TestServer): Promise<number> => {
      await server.request('POST', path, volume('b'));
      return (await server.request('PUT', `${path}/v`, volume('c'))).status;
    };
    assert.deepEqual([await changed(on), await changed(off)], [200, 422]);
  });

  test('a Node reports the health of its storage', async () => {
    const path = '/apis/storage.k8s.io/v1/csinodes';
    await on.request('POST', path, { metadata: { name: 'n' }, spec: { drivers: [] } });
    const storageHealth = [{ healthConditions: [{ status: 'Broken', reason: 'x y', volumeMode: 'Tape' }] }];
    const asked = { metadata: { name: 'n' }, spec: { drivers: [] }, status: { storageHealth } };
    const { body: stored } = await on.request('GET', `${path}/n`);
    const { resourceVersion } = (stored as Body)['metadata'];
    const { body } = await on.request('PUT', `${path}/n/status`, {
      ...asked,
      metadata: { name: 'n', resourceVersion },
    });
    const fields = (body as Body)['details'].causes.map(({ field }: Body) => field);
    const here = 'status.storageHealth[0]';
    const condition = `${here}.healthConditions[0]`;
    assert.deepEqual(fields, [`${here}.name`, `${condition}.status`, `${condition}.reason`, `${condition}.volumeMode`]);
  });
});
