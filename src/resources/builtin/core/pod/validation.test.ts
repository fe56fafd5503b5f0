import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strategyContext } from '../../../../../test/contract/defaults.ts';
import { type FieldError, fieldErrorBody } from '../../../../api/errors.ts';
import { subdomainFaults } from '../../../../api/names.ts';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { validateNewPod, validatePod, validatePodTemplate } from './validation.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

const CONTAINER: JsonObject = {
  name: 'web',
  image: 'nginx',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
};

function specOf(change: JsonObject): JsonObject {
  return {
    containers: [CONTAINER],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    serviceAccountName: 'default',
    securityContext: {},
    ...change,
  };
}

function pod(change: JsonObject, annotations?: Record<string, string>): ApiObject {
  return { metadata: { name: 'p', annotations }, spec: specOf(change) };
}

/** A pod whose container has these members too. */
function container(change: JsonObject): JsonObject {
  return { containers: [{ ...CONTAINER, ...change }] };
}

const handler = (change: JsonObject): JsonObject => ({ successThreshold: 1, ...change });
const volume = (source: JsonObject): JsonObject => ({ volumes: [{ name: 'data', ...source }] });
const affinity = (terms: JsonObject[]): JsonObject => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});

/** What is changed in a sound pod, and what is said of it; places within the spec. */
const REFUSED: readonly (readonly [subject: string, change: JsonObject, ...expected: string[]])[] = [
  ['a pod without containers', { containers: null }, 'containers: Required value'],
  ['a container without a name', container({ name: '' }), 'containers[0].name: Required value'],
  ['a container without an image', container({ image: '' }), 'containers[0].image: Required value'],
  [
    'an image with a space before it',
    container({ image: ' a' }),
    'containers[0].image: Invalid value: " a": must not have leading or trailing whitespace',
  ],
  [
    'containers with the same name',
    { containers: [CONTAINER, CONTAINER] },
    'containers[1].name: Duplicate value: "web"',
  ],
  [
    'an init container with the name of a container',
    { initContainers: [CONTAINER] },
    'initContainers[0].name: Duplicate value: "web"',
  ],
  [
    'an unknown imagePullPolicy',
    container({ imagePullPolicy: 'Now' }),
    'containers[0].imagePullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'invalid ports',
    container({
      ports: [
        { name: 'a', containerPort: 80, protocol: 'TCP' },
        { name: 'a', hostPort: 70000, protocol: 'tcp' },
      ],
    }),
    'containers[0].ports[1].name: Duplicate value: "a"',
    'containers[0].ports[1].containerPort: Required value',
    'containers[0].ports[1].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    'containers[0].ports[1].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'two equal host ports',
    container({
      ports: [
        { containerPort: 1, hostPort: 80, protocol: 'TCP' },
        { containerPort: 2, hostPort: 80, protocol: 'TCP' },
      ],
    }),
    'containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
  ],
  [
    'a host port with hostNetwork that differs from the container port',
    { hostNetwork: true, ...container({ ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }] }) },
    'containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
  ],
  [
    'invalid environment variables',
    container({ env: [{ name: '' }, { name: 'a=b' }, { name: 'c', valueFrom: {} }] }),
    'containers[0].env[0].name: Required value',
    'containers[0].env[1].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
    'containers[0].env[2].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  ],
  [
    'a variable with both value and valueFrom',
    container({ env: [{ name: 'a', value: 'b', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    'containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'an empty envFrom',
    container({ envFrom: [{}, { configMapRef: { name: '' } }] }),
    'containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    'containers[0].envFrom[1].configMapRef.name: Required value',
  ],
  [
    'mounts of missing volumes',
    container({ volumeMounts: [{ name: 'none', mountPath: '/a', subPath: '/b' }] }),
    'containers[0].volumeMounts[0].name: Not found: "none"',
    'containers[0].volumeMounts.subPath: Invalid value: "/b": must be a relative path',
  ],
  [
    'a volume device of an emptyDir',
    {
      ...volume({ emptyDir: {} }),
      ...container({ volumeDevices: [{ name: 'data', devicePath: '/dev/../x' }] }),
    },
    'containers[0].volumeDevices[0].name: Invalid value: "data": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    'containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps (\'..\')',
  ],
  [
    'requests above limits',
    container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    'containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'requests of extended resources without limits',
    container({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'huge pages without CPU or memory',
    container({ resources: { limits: { 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } } }),
    'containers[0].resources: Forbidden: HugePages require cpu or memory',
  ],
  [
    'missing resource claims',
    container({ resources: { claims: [{ name: 'gpu' }] } }),
    'containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty',
  ],
  [
    'a request of a resource claim beside the whole claim',
    {
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
      ...container({
        resources: { claims: [{ name: 'gpu', request: 'one' }, { name: 'gpu' }, { name: 'gpu', request: 'T_' }] },
      }),
    },
    'containers[0].resources.claims[1]: Duplicate value: "gpu"',
    'containers[0].resources.claims[2]: Duplicate value: "gpu"',
  ],
  [
    'pod-level requests below those of the containers',
    { resources: { requests: { cpu: '1' } }, ...container({ resources: { requests: { cpu: '2' } } }) },
    'resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
  ],
  [
    'pod-level requests below those of sidecars and init containers',
    {
      resources: { requests: { cpu: '2' } },
      initContainers: [
        { ...CONTAINER, name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
        { ...CONTAINER, name: 'init', resources: { requests: { cpu: '1500m' } } },
      ],
    },
    'resources.requests[cpu]: Invalid value: "2": must be greater than or equal to aggregate container requests of 2500m',
  ],
  [
    'a resizePolicy RestartContainer with restartPolicy Never',
    {
      restartPolicy: 'Never',
      ...container({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    },
    "containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'",
  ],
  [
    'a probe with two handlers',
    container({ livenessProbe: handler({ exec: { command: ['a'] }, tcpSocket: { port: 80 } }) }),
    'containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a startup probe with successThreshold 2',
    container({ startupProbe: { exec: {}, successThreshold: 2, periodSeconds: -1 } }),
    'containers[0].startupProbe.exec.command: Required value',
    'containers[0].startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    'containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'a preStop sleep beyond the grace period',
    container({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    'containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ],
  [
    'a readiness probe of an init container',
    { initContainers: [{ ...CONTAINER, name: 'init', readinessProbe: {} }] },
    'initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ],
  [
    'a negative runAsUser and an unknown seccomp profile',
    container({ securityContext: { runAsUser: -1, seccompProfile: { type: 'Default' } } }),
    'containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'containers[0].securityContext.seccompProfile.type: Unsupported value: "Default": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
  ],
  [
    'an invalid runAsUserName of Windows',
    container({ securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } }),
    'containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
  ],
  [
    'invalid sysctls',
    { hostIPC: true, securityContext: { sysctls: [{ name: 'kernel.shmmax' }, { name: 'A' }] } },
    'securityContext.sysctls[0].name: Invalid value: "kernel.shmmax": may not be specified when \'hostIPC\' is true',
    'securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
  ],
  [
    'a Windows pod with fields for Linux',
    { os: { name: 'windows' }, hostPID: true, securityContext: { fsGroup: 1 } },
    'hostPID: Forbidden: cannot be set for a windows pod',
    'securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
  ],
  [
    'an unknown operating system',
    { os: { name: 'x' } },
    'os: Unsupported value: "x": supported values: "linux", "windows"',
  ],
  [
    'hostUsers false with hostNetwork',
    { hostUsers: false, hostNetwork: true },
    'hostNetwork: Forbidden: when `hostUsers` is false',
  ],
  [
    'activeDeadlineSeconds 0',
    { activeDeadlineSeconds: 0 },
    'activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
  ],
  ['a hostname with dots', { hostname: 'a.b' }, 'hostname: Invalid value: "a.b": must not contain dots'],
  [
    'dnsPolicy None without nameservers',
    { dnsPolicy: 'None', dnsConfig: {} },
    'dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
  ],
  [
    'invalid nameservers',
    { dnsConfig: { nameservers: ['x'], options: [{}] } },
    'dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'dnsConfig.options[0]: Required value: must not be empty',
  ],
  [
    'duplicate scheduling gates',
    { schedulingGates: [{ name: 'a' }, { name: 'a' }] },
    'schedulingGates[1]: Duplicate value: "a"',
  ],
  [
    'invalid tolerations',
    { tolerations: [{ operator: 'Equal' }, { key: 'a', operator: 'Exists', value: 'b' }] },
    'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    'tolerations[1].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
  ],
  [
    'pod affinity without a topologyKey',
    affinity([{ matchLabelKeys: ['a'] }]),
    'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
    'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
    "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'duplicate topology spread constraints',
    {
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    },
    'topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    'topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}"',
  ],
  [
    'a volume with two sources',
    volume({ emptyDir: {}, hostPath: { path: '' } }),
    'volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
  ['a volume without a source', volume({}), 'volumes[0]: Required value: must specify a volume type'],
  [
    'a hostPath with backsteps',
    volume({ hostPath: { path: '/a/../b' } }),
    'volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
  [
    'invalid items of a secret volume',
    volume({ secret: { secretName: '', defaultMode: 512, items: [{ key: '', path: '/x' }] } }),
    'volumes[0].secret.secretName: Required value',
    'volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    'volumes[0].secret.items[0].key: Required value',
    'volumes[0].secret.items[0].path: Invalid value: "/x": must be a relative path',
  ],
  [
    'a downward API item without a source',
    volume({ downwardAPI: { items: [{ path: 'a' }] } }),
    'volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ],
  [
    'a projected source with several volume types',
    volume({
      projected: {
        sources: [
          {
            secret: { name: 'a', items: [{ key: 'x', path: 'p' }] },
            serviceAccountToken: { expirationSeconds: 3600 },
            clusterTrustBundle: { signerName: 'a', path: 'p' },
          },
          { clusterTrustBundle: { name: 'a:B', labelSelector: {}, path: 'q' } },
          { podCertificate: { signerName: 'kubernetes.io/x', keyType: 'RSA1', maxExpirationSeconds: 86401 } },
        ],
      },
    }),
    'volumes[0].projected.path: Required value',
    'volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "a": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    'volumes[0].projected: Invalid value: "p": conflicting duplicate paths',
    'volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
    `volumes[0].projected.sources[1].clusterTrustBundle.name: Invalid value: "a:B": not a valid clustertrustbundlename: ${subdomainFaults('B').join()}`,
    'volumes[0].projected.sources[1].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified',
    'volumes[0].projected.sources[2].podCertificate.keyType: Unsupported value: "RSA1": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
    'volumes[0].projected.sources[2].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400',
    'volumes[0].projected.sources[2].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
  ],
  [
    'metadata with a UID in the claim template of an ephemeral volume',
    volume({
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: '', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z', labels: { a: 'b' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      },
    }),
    'volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set',
    'volumes[0].ephemeral.volumeClaimTemplate.metadata.creationTimestamp: Forbidden: cannot be set',
  ],
  [
    'projected sources with the same path',
    volume({
      projected: {
        sources: [
          { secret: { name: 'a', items: [{ key: 'x', path: 'p' }] } },
          { configMap: { name: 'b', items: [{ key: 'y', path: 'p' }] } },
          { serviceAccountToken: { expirationSeconds: 599 } },
          { secret: { name: 'c' }, configMap: { name: 'd' } },
        ],
      },
    }),
    'volumes[0].projected: Invalid value: "b": conflicting duplicate paths',
    'volumes[0].projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    'volumes[0].projected.path: Required value',
    'volumes[0].projected.sources[3]: Forbidden: may not specify more than 1 volume type per source',
  ],
  [
    'invalid disk volumes',
    {
      volumes: [
        { name: 'a', iscsi: { targetPortal: 'p', iqn: 'foo', lun: 256 } },
        { name: 'b', fc: {} },
        { name: 'c', gcePersistentDisk: { pdName: 'd', partition: 256 } },
        { name: 'd', flexVolume: { driver: 'x/y', options: { 'kubernetes.io/a': 'b' } } },
      ],
    },
    'volumes[0].iscsi.iqn: Invalid value: "foo": must be valid format starting with iqn, eui, or naa',
    'volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    'volumes[1].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
    'volumes[2].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
    'volumes[3].flexVolume.options[kubernetes.io/a]: Invalid value: "kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved',
  ],
  [
    'a volume with the claim of an ephemeral volume',
    {
      volumes: [
        { name: 'a', ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: claimSpec() } } },
        { name: 'b', persistentVolumeClaim: { claimName: 'p-a' } },
      ],
    },
    'volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
    'volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-a": must not reference a PVC that gets created for an ephemeral volume',
  ],
  [
    'invalid resourceClaims',
    {
      resourceClaims: [
        { name: '', resourceClaimName: 'c' },
        { name: 'a', resourceClaimName: 'c' },
        { name: 'a', resourceClaimTemplateName: 't' },
      ],
    },
    'resourceClaims[0].name: Required value',
    'resourceClaims[2].name: Duplicate value: "a"',
  ],
  [
    'a token projection without a service account',
    { serviceAccountName: '', ...volume({ projected: { sources: [{ serviceAccountToken: { path: 'a' } }] } }) },
    'volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
  ],
];

function claimSpec(): JsonObject {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
}

describe('validation of a pod', () => {
  it('validation of a pod accepts a valid pod', () => assert.deepEqual(text(validatePod(pod({}))), []));

  for (const [subject, change, ...expected] of REFUSED) {
    it(`validation of a pod rejects ${subject}`, () => {
      assert.deepEqual(
        text(validatePod(pod(change))),
        expected.map((each) => `spec.${each}`),
      );
    });
  }

  for (const [annotation, value, ...expected] of [
    ['controller.kubernetes.io/pod-deletion-cost', '-5'],
    [
      'controller.kubernetes.io/pod-deletion-cost',
      '+1',
      'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
    ],
    [
      'kubernetes.io/config.mirror',
      'x',
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    ],
    ['container.apparmor.security.beta.kubernetes.io/web', 'runtime/default'],
    [
      'container.apparmor.security.beta.kubernetes.io/other',
      'x',
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "x": invalid AppArmor profile name: "x"',
    ],
    [
      'seccomp.security.alpha.kubernetes.io/pod',
      'x',
      'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
    ],
  ] as const) {
    it(`validation of a pod checks the annotation ${annotation}: ${value}`, () => {
      assert.deepEqual(text(validatePod(pod({}, { [annotation]: value }))), expected);
    });
  }

  it('validation of a pod rejects ephemeral containers, and a nodeName beside scheduling gates, on create', () => {
    const change = {
      ephemeralContainers: [{ ...CONTAINER, name: 'd' }],
      nodeName: 'n',
      schedulingGates: [{ name: 'a' }],
    };
    assert.deepEqual(text(validateNewPod(pod(change))), [
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
  });

  it('validation of a pod rejects privileged containers unless they are allowed', () => {
    const privileged = { ...CONTAINER, securityContext: { privileged: true } };
    const hostProcess = { ...CONTAINER, securityContext: { windowsOptions: { hostProcess: true } } };
    const refused = { allowPrivileged: false };
    const field = 'spec.containers[0].securityContext.privileged';
    assert.deepEqual(validatePod(pod({ containers: [privileged] }), { allowPrivileged: true, isFinal: true }), []);
    assert.deepEqual(text(validatePod(pod({ containers: [privileged] }), { ...refused, isFinal: true })), [
      `${field}: Forbidden: disallowed by cluster policy`,
    ]);
    assert.deepEqual(text(validatePod(pod({ containers: [hostProcess], hostNetwork: true }), refused)), [
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ]);
  });

  it('validation of a pod accepts seLinuxChangePolicy MountOption with the gate SELinuxMount only', () => {
    const mounted = pod({ securityContext: { seLinuxChangePolicy: 'MountOption' } });
    assert.deepEqual(text(validatePod(mounted, strategyContext())), [
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ]);
    assert.deepEqual(validatePod(mounted, strategyContext(['SELinuxMount'])), []);
  });

  it('validation of a pod requires the annotation and the field of a seccomp profile to agree', () => {
    const change = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    assert.deepEqual(text(validateNewPod(pod(change, annotations))), [
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ]);
    assert.deepEqual(
      validateNewPod(pod(change, { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' })),
      [],
    );
  });

  it('validation of a pod rejects ephemeral containers with ports, repeated names or unknown targets', () => {
    const debug = { ...CONTAINER, name: 'debug', ports: [{ containerPort: 1, protocol: 'TCP' }], resources: {} };
    const change = { ephemeralContainers: [debug, { ...CONTAINER, targetContainerName: 'none' }] };
    assert.deepEqual(text(validatePod(pod(change))), [
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[1].name: Duplicate value: "web"',
      'spec.ephemeralContainers[1].targetContainerName: Not found: "none"',
    ]);
  });

  it('validation of a pod of a template names paths without metadata, and accepts images with spaces around them', () => {
    const template = {
      metadata: { labels: { a: 'b c' } },
      spec: specOf({ ...container({ image: ' a ' }), ephemeralContainers: [{ ...CONTAINER, name: 'd' }] }),
    };
    const found = validatePodTemplate(template, 't');
    assert.deepEqual(
      found.map(({ field }) => field),
      ['t.labels', 't.spec.ephemeralContainers'],
    );
  });
});
