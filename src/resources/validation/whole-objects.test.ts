import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';
import { PodSpec } from '../builtin/core/pod/types.ts';
import { differenceBehind, wholeObject } from './whole-objects.ts';

const whole = { type: PodSpec };

test('a pod spec in a message has the fields of the host in its security context, in the order of the internal type', () => {
  const form = wholeObject(whole, { containers: [], hostPID: true }) as Record<string, unknown>;
  const { HostPID, HostUsers, RunAsUser } = form['SecurityContext'] as Record<string, unknown>;
  assert.deepEqual([HostPID, HostUsers, RunAsUser], [true, null, null]);
  const names = Object.keys(form);
  assert.deepEqual(names.slice(13, 18), ['ImagePullSecrets', 'Hostname', 'Subdomain', 'SetHostnameAsFQDN', 'Affinity']);
  assert.ok(!names.includes('HostPID'));
});

test('the difference of two objects is told in JSON with their internal names, since 1.34', () => {
  const [before, after] = [
    wholeObject(whole, { restartPolicy: 'Always' }),
    wholeObject(whole, { restartPolicy: 'Never' }),
  ];
  assert.equal(
    differenceBehind(whole, before, after),
    [
      '\n@@ -3,7 +3,7 @@',
      '  "InitContainers": null,',
      '  "Containers": null,',
      '  "EphemeralContainers": null,',
      '- "RestartPolicy": "Always",',
      '+ "RestartPolicy": "Never",',
      '  "TerminationGracePeriodSeconds": null,',
      '  "ActiveDeadlineSeconds": null,',
      '  "DNSPolicy": "",\n',
    ].join('\n'),
  );
  assert.equal(differenceBehind({ ...whole, minor: 33 }, before, after), '');
});

test('refusals of changes quote whole objects of each kind in their internal form', async () => {
  await using server = await startTestServer({ controllers: '' });
  const storage = '/apis/storage.k8s.io/v1';
  const pods = '/api/v1/namespaces/default/pods';
  const refusal = async (made: { path: string; object: JsonObject }, change: JsonObject, subresource = '') => {
    await server.request('POST', made.path, made.object);
    const { name } = made.object['metadata'] as { name: string };
    const { body } = await server.patch(`${made.path}/${name}${subresource}`, change);
    return (body as { message: string }).message.replace(/^.*?: Invalid value: |^.*?: Duplicate value: /, '');
  };
  const attachment = { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' } };
  assert.equal(
    await refusal(
      { path: `${storage}/volumeattachments`, object: { metadata: { name: 'a' }, spec: attachment } },
      { spec: { nodeName: 'm' } },
    ),
    '{"Attacher":"a.b","Source":{"PersistentVolumeName":"p","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
  );
  const drivers = [{ name: 'a.b', nodeID: 'x', topologyKeys: ['k'] }];
  assert.equal(
    await refusal(
      { path: `${storage}/csinodes`, object: { metadata: { name: 'a' }, spec: { drivers } } },
      { spec: { drivers: [{ ...drivers[0], nodeID: 'y' }] } },
    ),
    '{"Name":"a.b","NodeID":"y","TopologyKeys":["k"],"Allocatable":null}: field is immutable',
  );
  const address = { type: 'InternalIP', address: '1.1.1.1' };
  assert.equal(
    await refusal(
      { path: '/api/v1/nodes', object: { metadata: { name: 'a' } } },
      { status: { addresses: [address, address] } },
      '/status',
    ),
    '{"Type":"InternalIP","Address":"1.1.1.1"}',
  );
  const securityContext = { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } };
  const spec = { containers: [{ name: 'c', image: 'i' }], securityContext };
  const { body } = await server.request('POST', pods, { metadata: { name: 'a' }, spec });
  assert.match(String((body as JsonObject)['message']), /\{"Type":"RuntimeDefault","LocalhostProfile":"x"\}/);
});
