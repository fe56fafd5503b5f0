import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { podTemplateWarnings, podWarnings, workloadWarnings } from './warnings.ts';

function pod(spec: JsonObject, annotations?: Record<string, string>): ApiObject {
  return { metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c' }], ...spec } };
}

const container = (change: JsonObject): JsonObject => ({ containers: [{ name: 'c', ...change }] });

describe('warnings of pods', () => {
  for (const [subject, spec, ...expected] of [
    ['nothing', {}],
    [
      'old labels of nodes',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux', disk: 'ssd' } },
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
    [
      'spreading over an old label',
      { topologySpreadConstraints: [{ topologyKey: 'failure-domain.beta.kubernetes.io/zone' }] },
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    ],
    [
      'volumes that nothing serves',
      { volumes: [{ name: 'a', gitRepo: { repository: 'x' } }] },
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    ],
    [
      'files on top of each other',
      {
        volumes: [
          {
            name: 'a',
            projected: {
              sources: [
                {},
                { serviceAccountToken: { path: 'x' } },
                { secret: { name: 's', items: [{ key: 'k', path: 'x/y' }] } },
              ],
            },
          },
          { name: 'b', configMap: { name: 'm', items: [{ path: 'p' }, { path: 'p/' }] } },
        ],
      },
      'volume "a" (Projected) has no sources provided',
      'volume "a" (Projected): overlapping paths: "x/y" (Secret "s") with "x" (ServiceAccountToken)',
      'volume "b" (ConfigMap "m"): overlapping paths: "p" with "p"',
    ],
    [
      'repeated names and addresses',
      {
        hostAliases: [{ ip: '192.0.2.1' }, { ip: '192.0.2.1' }],
        imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }],
      },
      'spec.hostAliases[1].ip: duplicate ip "192.0.2.1"',
      'spec.imagePullSecrets[2].name: duplicate name "a"',
      'spec.imagePullSecrets[0].name: invalid empty name ""',
    ],
    [
      'parts of bytes',
      container({ resources: { requests: { memory: '100m' } } }),
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
    [
      'hidden variables',
      container({
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '$(A)2' },
          { name: 'A', value: '3' },
        ],
      }),
      'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
    ],
    [
      'ports that clash',
      container({
        ports: [
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 80, protocol: 'TCP', hostPort: 8080 },
          { containerPort: 80, protocol: 'UDP' },
        ],
      }),
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]',
    ],
    [
      'an address of the node without a port of it',
      container({ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP', hostIP: '192.0.2.1' }] }),
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:80 Protocol:TCP HostIP:192.0.2.1}',
    ],
    [
      'ports of one name in two containers',
      {
        initContainers: [{ name: 'i', image: 'x', ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }],
        containers: [{ name: 'c', image: 'x', ports: [{ name: 'http', containerPort: 81, protocol: 'TCP' }] }],
      },
      'spec.containers[0].ports[0]: duplicate port name "http" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
    [
      'pods to be near or far from that nothing selects',
      {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'zone' } }],
          },
        },
      },
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod',
    ],
    [
      'a claim of a part of a byte',
      {
        volumes: [
          {
            name: 'a',
            ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '1500m' } } } } },
          },
        ],
      },
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ],
    [
      'StorageOS under the name of its own',
      { volumes: [{ name: 'a', storageos: { volumeName: 'x' } }] },
      'spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(subject, () => assert.deepEqual(podWarnings(pod(spec), undefined), expected));
  }

  it('a negative grace period of a template, which a pod itself is not left', () => {
    const spec = { terminationGracePeriodSeconds: -1 };
    assert.deepEqual(podTemplateWarnings({ spec }, 'template'), [
      'template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
    assert.deepEqual(podWarnings(pod(spec), undefined), []);
  });

  it('annotations that fields have taken the place of', () => {
    const annotations = {
      'container.seccomp.security.alpha.kubernetes.io/c': 'unconfined',
      'container.apparmor.security.beta.kubernetes.io/c': 'unconfined',
      'scheduler.alpha.kubernetes.io/critical-pod': '',
    };
    assert.deepEqual(podWarnings(pod({}, annotations), undefined), [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ]);
    const template = { metadata: { annotations }, spec: { containers: [{ name: 'c' }] } };
    const old = /apparmor.*: deprecated since v1.30; use the "appArmorProfile" field instead/;
    assert.match(podTemplateWarnings(template, 'spec.template').join(), old);
    const withProfile = { ...template.spec, securityContext: { appArmorProfile: { type: 'Unconfined' } } };
    assert.doesNotMatch(podTemplateWarnings({ ...template, spec: withProfile }, 'spec.template').join(), old);
  });

  it('are for new pods alone', () => {
    const old = pod({ terminationGracePeriodSeconds: -1 });
    assert.deepEqual(podWarnings(old, old), []);
  });

  it('tell their places in templates', () => {
    assert.deepEqual(podTemplateWarnings({ spec: { terminationGracePeriodSeconds: -1 } }, 'spec.template'), [
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
  });

  it('of templates come again when the generation rises, and of names only once', () => {
    const warnings = workloadWarnings(true);
    const object = (generation: number) => ({
      metadata: { name: 'a.b', generation },
      spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } },
    });
    assert.deepEqual(
      [warnings(object(1), undefined), warnings(object(2), object(1)), warnings(object(2), object(2))].map(
        (found) => found.length,
      ),
      [2, 1, 0],
    );
  });
});

it('a variable that hides another one is told in fewer words before 1.30', () => {
  const env = [{ name: 'A' }, { name: 'A' }];
  const hiding = pod({ containers: [{ name: 'a', env }] });
  const told = (minor: number) => podWarnings(hiding, undefined, { minor }).find((each) => each.includes('hides'));
  assert.equal(told(29), 'spec.containers[0].env[1]: hides previous definition of "A"');
  assert.match(told(30) ?? '', /"A", which may be dropped when using apply$/);
});
