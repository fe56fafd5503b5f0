import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import {
  statefulSetWarnings,
  validateNewStatefulSet,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';
import { validateDaemonSetStatus, validateDeploymentStatus, validateReplicaSetStatus } from './status-validation.ts';
import {
  validateControllerRevision,
  validateDaemonSet,
  validateDataKept,
  validateDeployment,
  validateNewRevision,
  validateReplicaSet,
  validateSelectorKept,
} from './validation.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

const POD: JsonObject = {
  containers: [{ name: 'web', image: 'nginx', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }],
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
};
const TEMPLATE: JsonObject = { metadata: { labels: { app: 'web' } }, spec: POD };
const BASE = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE };

const deployment = (change: JsonObject) => ({
  metadata: {},
  spec: {
    ...BASE,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    progressDeadlineSeconds: 600,
    ...change,
  },
});
const daemonSet = (change: JsonObject) => ({
  metadata: {},
  spec: {
    ...BASE,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    ...change,
  },
});
const statefulSet = (change: JsonObject) => ({
  metadata: {},
  spec: { ...BASE, podManagementPolicy: 'OrderedReady', updateStrategy: { type: 'RollingUpdate' }, ...change },
});
const rolling = (maxUnavailable: number | string, maxSurge: number | string): JsonObject => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable, maxSurge },
});

const MISMATCH = 'Invalid value: {"app":"web"}: `selector` does not match template `labels`';
const OTHER = { selector: { matchLabels: { app: 'other' } } };

type Case = readonly [subject: string, found: FieldError[], ...expected: string[]];

const CASES: readonly Case[] = [
  ['a valid Deployment', validateDeployment(deployment({}))],
  [
    'a Deployment with negative replicas',
    validateDeployment(deployment({ replicas: -1 })),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a Deployment without a selector',
    validateDeployment(deployment({ selector: null })),
    'spec.selector: Required value',
    `spec.template.metadata.labels: ${MISMATCH}`,
  ],
  [
    'a Deployment with an empty selector',
    validateDeployment(deployment({ selector: {} })),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'a Deployment with an invalid selector',
    validateDeployment(deployment({ selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } })),
    'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Is"}]}: invalid label selector',
  ],
  [
    'a Deployment whose selector does not match its template',
    validateDeployment(deployment(OTHER)),
    `spec.template.metadata.labels: ${MISMATCH}`,
  ],
  [
    'a Deployment with maxSurge and maxUnavailable 0',
    validateDeployment(deployment({ strategy: rolling(0, 0) })),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    'a Deployment with maxUnavailable above 100%',
    validateDeployment(deployment({ strategy: rolling('101%', 0) })),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'a Deployment with strategy Recreate and rollingUpdate',
    validateDeployment(deployment({ strategy: { type: 'Recreate', rollingUpdate: {} } })),
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'a Deployment whose progressDeadlineSeconds are not above minReadySeconds',
    validateDeployment(deployment({ progressDeadlineSeconds: 5, minReadySeconds: 5 })),
    'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
  ],
  [
    'a ReplicaSet whose template has another restartPolicy or a deadline',
    validateReplicaSet({
      metadata: {},
      spec: { ...BASE, template: { ...TEMPLATE, spec: { ...POD, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } },
    }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  ['a valid DaemonSet', validateDaemonSet(daemonSet({}))],
  [
    'a DaemonSet with an empty selector',
    validateDaemonSet(daemonSet({ selector: {} })),
    'spec.selector: Invalid value: {}: empty selector is invalid for daemonset',
  ],
  [
    'a DaemonSet with both maxSurge and maxUnavailable',
    validateDaemonSet(daemonSet({ updateStrategy: rolling(1, 1) })),
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ],
  [
    'a DaemonSet with neither maxSurge nor maxUnavailable',
    validateDaemonSet(daemonSet({ updateStrategy: rolling('0%', 0) })),
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  ['a valid StatefulSet', validateStatefulSet(statefulSet({}))],
  [
    'a StatefulSet without a selector',
    validateStatefulSet(statefulSet({ selector: null })),
    'spec.selector: Required value',
    `spec.template.metadata.labels: ${MISMATCH}`,
  ],
  [
    'a StatefulSet with an unknown podManagementPolicy and negative ordinals',
    validateStatefulSet(statefulSet({ podManagementPolicy: 'Random', ordinals: { start: -1 } })),
    "spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'",
    'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a StatefulSet with a volume claim template without a name',
    validateStatefulSet(
      statefulSet({
        volumeClaimTemplates: [
          { metadata: {}, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        ],
      }),
    ),
    'spec.template.spec.volumes[0].persistentVolumeClaim.claimName: Required value',
    'spec.template.spec.volumes[0].name: Required value',
  ],
  [
    'a StatefulSet with an unknown retention policy for claims',
    validateStatefulSet(
      statefulSet({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Retain' } }),
    ),
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
  ],
  ['a valid ControllerRevision', validateControllerRevision({ metadata: {}, data: {}, revision: 1 })],
  [
    'a ControllerRevision without data',
    [
      ...validateControllerRevision({ metadata: {}, revision: -1 }),
      ...validateNewRevision({ metadata: {}, data: 'x' }, {}),
    ],
    'revision: Invalid value: -1: must be greater than or equal to 0',
    'data: Required value: data must be a valid JSON object',
  ],
];

describe('validation of Deployments, StatefulSets, DaemonSets and ControllerRevisions', () => {
  for (const [subject, found, ...expected] of CASES) {
    it(`validation of workloads checks ${subject}`, () => assert.deepEqual(text(found), expected));
  }

  it('validation of workloads accepts mounts of the volume claim templates of a StatefulSet', () => {
    const mounted = {
      ...POD,
      containers: [{ ...(POD['containers'] as JsonObject[])[0], volumeMounts: [{ name: 'data', mountPath: '/a' }] }],
    };
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const template = { ...TEMPLATE, spec: mounted };
    assert.deepEqual(text(validateStatefulSet(statefulSet({ template, volumeClaimTemplates: [claim] }))), []);
    assert.deepEqual(text(validateStatefulSet(statefulSet({ template }))), [
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ]);
  });

  it('from 1.37 on an error about claim templates quotes them in the form of Kubernetes', () => {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block' } };
    const update = [statefulSet({ volumeClaimTemplates: [claim] }), statefulSet({})] as const;
    const [error] = validateStatefulSetUpdate(...update, { minor: 37 });
    assert.deepEqual(error?.value, [
      {
        name: 'data',
        Spec: {
          AccessModes: ['ReadWriteOnce'],
          Selector: null,
          Resources: { Limits: null, Requests: null },
          VolumeName: '',
          StorageClassName: null,
          VolumeMode: 'Block',
          DataSource: null,
          DataSourceRef: null,
          VolumeAttributesClassName: null,
        },
        Status: {
          Phase: '',
          AccessModes: null,
          Capacity: null,
          Conditions: null,
          AllocatedResources: null,
          AllocatedResourceStatuses: null,
          CurrentVolumeAttributesClassName: null,
          ModifyVolumeStatus: null,
          HealthStatus: null,
        },
      },
    ]);
  });

  it('validation of workloads rejects changes of a selector, and of all but a few fields of a StatefulSet', () => {
    assert.deepEqual(text(validateSelectorKept(deployment(OTHER), deployment({}))), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
    ]);
    assert.deepEqual(validateStatefulSetUpdate(statefulSet({ replicas: 3 }), statefulSet({})), []);
    assert.deepEqual(text(validateStatefulSetUpdate(statefulSet({ serviceName: 'x' }), statefulSet({}))), [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });

  it('validation of workloads rejects changes of the data of a ControllerRevision', () => {
    const revision = (data: JsonObject): ApiObject => ({ metadata: {}, data });
    assert.deepEqual(validateDataKept(revision({ a: 1 }), revision({ a: 1 })), []);
    assert.equal(validateDataKept(revision({ a: 1 }), revision({ a: 2 })).length, 1);
  });

  it('validation of workloads warns about a negative revisionHistoryLimit', () => {
    assert.equal(statefulSetWarnings({ metadata: {}, spec: { revisionHistoryLimit: -1 } }, undefined).length, 1);
    assert.equal(statefulSetWarnings({ metadata: {}, spec: { revisionHistoryLimit: 0 } }, undefined).length, 0);
  });

  it('validation of workloads warns about volume claim templates that request fractions of bytes', () => {
    const claim = { metadata: {}, spec: { resources: { requests: { storage: '1500m' } } } };
    assert.deepEqual(statefulSetWarnings({ metadata: {}, spec: { volumeClaimTemplates: [claim] } }, undefined), [
      'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });

  it('validation of workloads checks serviceName and volume claim templates of a StatefulSet on create only', () => {
    const spec = { serviceName: 'a.b', volumeClaimTemplates: [{ metadata: { name: 'c' }, spec: {} }] };
    const [fresh, kept] = [
      validateNewStatefulSet({ metadata: {}, spec }),
      validateStatefulSet({ metadata: {}, spec }),
    ].map((found) => found.map(({ field }) => field));
    for (const field of ['spec.serviceName', 'spec.volumeClaimTemplates[0].spec.accessModes']) {
      assert.equal(fresh?.includes(field), true);
      assert.equal(kept?.includes(field), false);
    }
  });
});

describe('validation of the status of Deployments, StatefulSets, DaemonSets and ReplicaSets', () => {
  const object = <S>(status: S) => ({ status });
  for (const [subject, found, ...expected] of [
    ['a valid Deployment', validateDeploymentStatus(object({ replicas: 2, readyReplicas: 1 }), object({}))],
    [
      'a Deployment with more ready replicas than replicas',
      validateDeploymentStatus(object({ readyReplicas: 2 }), object({})),
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ],
    [
      'a ReplicaSet with more available than ready replicas',
      validateReplicaSetStatus(object({ replicas: 2, availableReplicas: 2 }), object({})),
      'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
    ],
    [
      'a DaemonSet whose collisionCount decreases',
      validateDaemonSetStatus(object({ collisionCount: 1 }), object({ collisionCount: 2 })),
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ],
  ] as readonly Case[]) {
    it(`validation of the status of workloads checks ${subject}`, () => assert.deepEqual(text(found), expected));
  }
});
