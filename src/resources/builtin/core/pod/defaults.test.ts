import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultsTable } from '../../../../../test/contract/defaults.ts';
import { pullPolicy } from './image-name.ts';

const IMAGES: readonly [string, string][] = [
  ['nginx', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1.27', 'IfNotPresent'],
  ['registry.example.com:5000/team/app', 'Always'],
  ['registry.example.com:5000/team/app:v1', 'IfNotPresent'],
  ['localhost/app:latest', 'Always'],
  [`nginx@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
  [`nginx:latest@sha256:${'0'.repeat(64)}`, 'Always'],
  [`nginx:latest@sha256:${'0'.repeat(40)}`, 'IfNotPresent'],
  [`nginx:latest@md5:${'0'.repeat(32)}`, 'IfNotPresent'],
  ['a'.repeat(247), 'Always'],
  // Too long once `library/` stands before it.
  ['a'.repeat(248), 'IfNotPresent'],
  ['Registry/app', 'Always'],
  // What is not a name of an image has no tag either.
  ['Upper/Case', 'IfNotPresent'],
  ['0'.repeat(64), 'IfNotPresent'],
  ['', 'IfNotPresent'],
];

describe('the default imagePullPolicy', () => {
  for (const [image, policy] of IMAGES) {
    it(`the default imagePullPolicy is ${policy} for ${JSON.stringify(image)}`, () =>
      assert.equal(pullPolicy(image), policy));
  }
});

const web = { name: 'web', image: 'nginx:1.27' };
const fullWeb = {
  ...web,
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function container(given: object) {
  return { spec: { containers: [{ ...web, ...given }] } };
}

function volumes(...given: object[]) {
  return { spec: { containers: [web], volumes: given.map((source, index) => ({ name: `v${index}`, ...source })) } };
}

defaultsTable('pods', [
  {
    when: 'a small one',
    given: { spec: { containers: [web] } },
    stored: {
      spec: {
        containers: [fullWeb],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
      },
    },
  },
  {
    when: 'what is said stays',
    given: { spec: { containers: [web], restartPolicy: 'Never', enableServiceLinks: false, dnsPolicy: 'None' } },
    stored: { 'spec.restartPolicy': 'Never', 'spec.enableServiceLinks': false, 'spec.dnsPolicy': 'None' },
    only: ['spec.restartPolicy', 'spec.enableServiceLinks', 'spec.dnsPolicy'],
  },
  {
    when: 'ports and probes',
    given: container({
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 5 }, periodSeconds: 3 },
      lifecycle: { preStop: { httpGet: { port: 'web', path: '/bye' } } },
    }),
    stored: {
      'spec.containers': [
        {
          ...fullWeb,
          ports: [
            { containerPort: 80, protocol: 'TCP' },
            { containerPort: 53, protocol: 'UDP' },
          ],
          livenessProbe: { ...PROBE, httpGet: { port: 80, path: '/', scheme: 'HTTP' } },
          readinessProbe: { ...PROBE, periodSeconds: 3, grpc: { port: 5, service: '' } },
          lifecycle: { preStop: { httpGet: { port: 'web', path: '/bye', scheme: 'HTTP' } } },
        },
      ],
    },
    only: ['spec.containers'],
  },
  {
    when: 'requests follow limits, in thousandths at the finest',
    given: container({ resources: { limits: { cpu: '0.0001', memory: '1Gi' }, requests: { memory: '512Mi' } } }),
    stored: {
      'spec.containers': [
        { ...fullWeb, resources: { limits: { cpu: '1m', memory: '1Gi' }, requests: { cpu: '1m', memory: '512Mi' } } },
      ],
    },
    only: ['spec.containers'],
  },
  {
    when: 'ports in the network of the node',
    given: { spec: { hostNetwork: true, containers: [{ ...web, ports: [{ containerPort: 80 }] }] } },
    stored: {
      'spec.containers': [{ ...fullWeb, ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] }],
    },
    only: ['spec.containers'],
  },
  {
    when: 'the environment',
    given: container({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    stored: {
      'spec.containers': [
        {
          ...fullWeb,
          env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
        },
      ],
    },
    only: ['spec.containers'],
  },
  {
    when: 'the old name of the service account',
    given: { spec: { containers: [web], serviceAccount: 'robot' } },
    stored: { 'spec.serviceAccount': 'robot', 'spec.serviceAccountName': 'robot' },
    only: ['spec.serviceAccount', 'spec.serviceAccountName'],
  },
  {
    when: 'the new name of the service account wins',
    given: { spec: { containers: [web], serviceAccount: 'old', serviceAccountName: 'new' } },
    stored: { 'spec.serviceAccount': 'new', 'spec.serviceAccountName': 'new' },
    only: ['spec.serviceAccount', 'spec.serviceAccountName'],
  },
  {
    when: 'volumes',
    given: volumes(
      {},
      { configMap: { name: 'c' } },
      { secret: { secretName: 's', defaultMode: 256 } },
      { hostPath: { path: '/x' } },
      { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.uid' } }] } },
      { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { ephemeral: { volumeClaimTemplate: { spec: { resources: {} } } } },
      { rbd: { monitors: ['m'], image: 'i' } },
    ),
    stored: {
      'spec.volumes': [
        { name: 'v0', emptyDir: {} },
        { name: 'v1', configMap: { name: 'c', defaultMode: 420 } },
        { name: 'v2', secret: { secretName: 's', defaultMode: 256 } },
        { name: 'v3', hostPath: { path: '/x', type: '' } },
        {
          name: 'v4',
          downwardAPI: {
            items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.uid' } }],
            defaultMode: 420,
          },
        },
        {
          name: 'v5',
          projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 420 },
        },
        {
          name: 'v6',
          ephemeral: { volumeClaimTemplate: { metadata: {}, spec: { resources: {}, volumeMode: 'Filesystem' } } },
        },
        {
          name: 'v7',
          rbd: { monitors: ['m'], image: 'i', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
        },
      ],
    },
    only: ['spec.volumes'],
  },
  {
    when: 'fields behind gates that are off',
    given: {
      spec: {
        containers: [{ ...web, restartPolicy: 'Never', lifecycle: { stopSignal: 'SIGUSR1' } }],
        initContainers: [
          { ...web, name: 'a', restartPolicy: 'Sometimes' },
          { ...web, name: 'b', restartPolicy: 'Always' },
        ],
      },
    },
    stored: {
      'spec.containers': [fullWeb],
      'spec.initContainers': [
        { ...fullWeb, name: 'a' },
        { ...fullWeb, name: 'b', restartPolicy: 'Always' },
      ],
    },
    only: ['spec.containers', 'spec.initContainers'],
    gates: ['SidecarContainers'],
  },
  {
    when: 'volumes of images while their gate is off',
    given: {
      spec: {
        containers: [
          { ...web, volumeMounts: [{ name: 'i', mountPath: '/i' }] },
          {
            ...web,
            name: 'b',
            volumeMounts: [
              { name: 'i', mountPath: '/i' },
              { name: 'e', mountPath: '/e' },
            ],
          },
        ],
        volumes: [
          { name: 'i', image: { reference: 'r' } },
          { name: 'e', emptyDir: {} },
        ],
      },
    },
    stored: {
      'spec.containers': [fullWeb, { ...fullWeb, name: 'b', volumeMounts: [{ name: 'e', mountPath: '/e' }] }],
      'spec.volumes': [{ name: 'e', emptyDir: {} }],
    },
    only: ['spec.containers', 'spec.volumes'],
  },
  {
    when: 'resources of the pod as a whole',
    given: {
      spec: {
        resources: { limits: { cpu: '4', memory: '2Gi' } },
        containers: [
          { ...web, resources: { requests: { cpu: '500m' } } },
          { ...web, name: 'other', resources: { requests: { cpu: '1' } } },
        ],
        initContainers: [
          { ...web, name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '250m' } } },
          { ...web, name: 'init', resources: { requests: { cpu: '3' } } },
        ],
      },
    },
    // The init container beside the sidecar asks for more than all that runs later.
    stored: {
      'spec.resources': { limits: { cpu: '4', memory: '2Gi' }, requests: { cpu: '3250m', memory: '2Gi' } },
    },
    only: ['spec.resources'],
    gates: ['PodLevelResources', 'SidecarContainers', 'ContainerRestartRules'],
  },
  ...[
    { when: 'no resources of the pod as a whole', resources: {}, filled: {} },
    {
      when: 'huge pages that only the containers limit',
      resources: { requests: { cpu: '2' } },
      filled: { requests: { cpu: '2', 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } },
    },
    {
      when: 'huge pages that the pod requests as a whole without a limit',
      resources: { requests: { 'hugepages-2Mi': '4Mi' } },
      filled: { requests: { 'hugepages-2Mi': '4Mi' } },
    },
  ].map(({ when, resources, filled }) => ({
    when,
    given: { spec: { resources, containers: [{ ...web, resources: { limits: { 'hugepages-2Mi': '4Mi' } } }] } },
    stored: { 'spec.resources': filled },
    only: ['spec.resources'],
    gates: ['PodLevelResources'],
  })),
  {
    when: 'the address and the list of addresses',
    given: { spec: { containers: [web] }, status: { podIP: '10.1.2.3' } },
    stored: { 'status.podIPs': [{ ip: '10.1.2.3' }] },
    only: ['status.podIPs'],
  },
  {
    when: 'an address of an old client beside a list',
    given: {
      spec: { containers: [web] },
      status: { podIP: '10.0.0.9', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] },
    },
    stored: { 'status.podIP': '10.0.0.9', 'status.podIPs': [{ ip: '10.0.0.9' }] },
    only: ['status.podIP', 'status.podIPs'],
  },
  {
    when: 'a list of addresses alone',
    given: { spec: { containers: [web] }, status: { podIPs: [{ ip: '10.0.0.1' }] } },
    stored: { 'status.podIP': '10.0.0.1' },
    only: ['status.podIP'],
  },
]);
