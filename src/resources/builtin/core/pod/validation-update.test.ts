import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { validatePodStatus } from './validation-status.ts';
import { validateEphemeralContainersUpdate, validatePodUpdate } from './validation-update.ts';

const whole = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
/** Without the differences of objects. */
const text = (found: readonly FieldError[]) => whole(found).map((each) => each.replace(/\n@@ .*$/s, ''));

const ONLY_THESE =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const WEB: JsonObject = { name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } };

function pod(change: JsonObject = {}, annotations?: Record<string, string>): ApiObject {
  const spec = {
    containers: [WEB],
    activeDeadlineSeconds: 600,
    tolerations: [{ key: 'a', operator: 'Exists' }],
    restartPolicy: 'Never',
    ...change,
  };
  return { metadata: { name: 'p', annotations }, spec, status: { qosClass: 'Burstable' } };
}

const gated = (change: JsonObject = {}) =>
  pod({ schedulingGates: [{ name: 'one' }, { name: 'two' }], nodeSelector: { disk: 'ssd' }, ...change });
const nodes = (...terms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const term = (...keys: string[]): JsonObject => ({
  matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })),
});

describe('validation of an update of a pod', () => {
  for (const [subject, next, ...expected] of [
    ['nothing', {}],
    ['the image of a container', { containers: [{ ...WEB, image: 'other' }] }],
    ['an earlier activeDeadlineSeconds', { activeDeadlineSeconds: 60 }],
    [
      'an additional toleration',
      {
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
      },
    ],
    [
      'an image with a space',
      { containers: [{ ...WEB, image: 'a ' }] },
      'spec.containers[0].image: Invalid value: "a ": must not have leading or trailing whitespace',
    ],
    ['an empty image', { containers: [{ ...WEB, image: '' }] }, 'spec.containers[0].image: Required value'],
    [
      'an additional container',
      { containers: [WEB, WEB] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'a later activeDeadlineSeconds',
      { activeDeadlineSeconds: 601 },
      'spec.activeDeadlineSeconds: Invalid value: 601: must be less than or equal to previous value',
    ],
    [
      'a removal of activeDeadlineSeconds',
      { activeDeadlineSeconds: undefined },
      'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    ],
    [
      'a replaced toleration',
      { tolerations: [{ key: 'b', operator: 'Exists' }] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    ['hostNetwork', { hostNetwork: true }, ONLY_THESE],
    [
      'an additional scheduling gate',
      { schedulingGates: [{ name: 'new' }] },
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'new'",
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of an update of a pod checks a change: ${subject}`, () =>
      assert.deepEqual(text(validatePodUpdate(pod(next), pod())), expected));
  }

  it('validation of an update of a pod accepts terminationGracePeriodSeconds 1 in place of a negative one', () => {
    const before = pod({ terminationGracePeriodSeconds: -5 });
    assert.deepEqual(validatePodUpdate(pod({ terminationGracePeriodSeconds: 1 }), before), []);
    assert.deepEqual(text(validatePodUpdate(pod({ terminationGracePeriodSeconds: 2 }), before)), [ONLY_THESE]);
  });

  for (const [subject, next, ...expected] of [
    ['a removal of scheduling gates', { schedulingGates: undefined }],
    ['an additional nodeSelector label', { nodeSelector: { disk: 'ssd', zone: 'a' } }],
    ['a first node affinity', nodes(term('a'))],
    [
      'another value in nodeSelector',
      { nodeSelector: { disk: 'hdd' } },
      'spec.nodeSelector: Invalid value: {"disk":"hdd"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of an update of a pod checks a change of a pod with scheduling gates: ${subject}`, () => {
      assert.deepEqual(text(validatePodUpdate(gated(next), gated())), expected);
    });
  }

  it('validation of an update of a pod accepts only a narrower node affinity while a pod has scheduling gates', () => {
    const here = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
    const fields = (next: JsonObject) =>
      validatePodUpdate(gated(next), gated(nodes(term('a')))).map(({ field }) => field);
    assert.deepEqual(fields(nodes(term('a', 'b'))), []);
    assert.deepEqual(fields(nodes(term('b'))), [`${here}[0]`]);
    assert.deepEqual(fields(nodes(term('a'), term('b'))), [here]);
  });

  it('validation of an update of a pod rejects changes of the AppArmor annotations', () => {
    const name = 'container.apparmor.security.beta.kubernetes.io/web';
    const found = validatePodUpdate(pod({}, { [name]: 'unconfined' }), pod());
    assert.deepEqual(text(found), [`metadata.annotations[${name}]: Forbidden: may not add AppArmor annotations`]);
  });

  it('validation of an update of a pod accepts further ephemeral containers, and no change of existing ones', () => {
    const before = pod({ ephemeralContainers: [{ name: 'a', image: 'x' }] });
    const more = [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'x' },
    ];
    assert.deepEqual(validateEphemeralContainersUpdate(pod({ ephemeralContainers: more }), before), []);
    assert.deepEqual(text(validateEphemeralContainersUpdate(pod(), before)), [
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be removed\n',
    ]);
    const other = pod({ ephemeralContainers: [{ name: 'a', image: 'y' }] });
    assert.deepEqual(text(validateEphemeralContainersUpdate(other, before)), [
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "a" may not be changed',
    ]);
  });
});

describe('validation of the status of a pod', () => {
  const withStatus = (status: JsonObject): ApiObject => ({ ...pod(), status });
  for (const [subject, status, ...expected] of [
    ['podIPs of both families', { podIPs: [{ ip: '10.0.0.1' }, { ip: '2001:db8::1' }], qosClass: 'Burstable' }],
    [
      'podIPs of one family',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], qosClass: 'Burstable' },
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
    ],
    [
      'hostIPs that differ from hostIP',
      { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }], qosClass: 'Burstable' },
      'status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`',
    ],
    [
      'a change of qosClass',
      { qosClass: 'Guaranteed' },
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of the status of a pod checks ${subject}`, () =>
      assert.deepEqual(text(validatePodStatus(withStatus(status), pod())), expected));
  }

  it('validation of the status of a pod rejects a container state that leaves terminated when the pod does not restart', () => {
    const status = (state: JsonObject) => withStatus({ containerStatuses: [{ name: 'web', state }] });
    const found = validatePodStatus(status({ running: {} }), status({ terminated: { exitCode: 1 } }));
    assert.deepEqual(text(found), [
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
    const restarting = (state: JsonObject) => ({ ...status(state), spec: { restartPolicy: 'OnFailure' } });
    assert.deepEqual(validatePodStatus(restarting({ running: {} }), restarting({ terminated: { exitCode: 1 } })), []);
  });

  it('validation of an update of a pod tells what changed', () => {
    const [message = ''] = whole(validatePodUpdate(pod({ hostname: 'b' }), pod({ hostname: 'a' })));
    assert.match(message, /\n@@ -\d+,7 \+\d+,7 @@\n(?: .*\n){3}- "Hostname": "a",\n\+ "Hostname": "b",\n(?: .*\n){3}$/);
  });
});
