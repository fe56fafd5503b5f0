import assert from 'node:assert/strict';
import { test } from 'node:test';
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
