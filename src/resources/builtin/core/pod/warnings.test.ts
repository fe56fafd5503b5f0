import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { podTemplateWarnings, podWarnings, workloadWarnings } from './warnings.ts';

function pod(spec: JsonObject, annotations?: Record<string, string>): ApiObject {
  return { metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c' }], ...spec } };
}

const container = (change: JsonObject): JsonObject => ({ containers: [{ name: 'c', ...change }] });

describe('warnings about pods', () => {
  for (const [subject, spec, ...expected] of [
    ['nothing', {}],
    [
      'deprecated node labels',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux', disk: 'ssd' } },
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
    [
      'topology spread over a deprecated label',
      { topologySpreadConstraints: [{ topologyKey: 'failure-domain.beta.kubernetes.io/zone' }] },
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    ],
    [
      'gitRepo volumes',
      { volumes: [{ name: 'a', gitRepo: { repository: 'x' } }] },
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    ],
    [
      'overlapping paths in volumes',
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
      'duplicate host aliases and pull secrets',
      {
        hostAliases: [{ ip: '192.0.2.1' }, { ip: '192.0.2.1' }],
        imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }],
      },
      'spec.hostAliases[1].ip: duplicate ip "192.0.2.1"',
      'spec.imagePullSecrets[2].name: duplicate name "a"',
      'spec.imagePullSecrets[0].name: invalid empty name ""',
    ],
    [
      'fractional bytes',
      container({ resources: { requests: { memory: '100m' } } }),
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
    [
      'hidden environment variables',
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
      'duplicate and overlapping ports',
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
      'hostIP without hostPort',
      container({ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP', hostIP: '192.0.2.1' }] }),
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:80 Protocol:TCP HostIP:192.0.2.1}',
    ],
    [
      'duplicate port names in different containers',
      {
        initContainers: [{ name: 'i', image: 'x', ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }],
        containers: [{ name: 'c', image: 'x', ports: [{ name: 'http', containerPort: 81, protocol: 'TCP' }] }],
      },
      'spec.containers[0].ports[0]: duplicate port name "http" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
    [
      'pod affinity without a labelSelector',
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
      'fractional bytes in an ephemeral volume',
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
      'the StorageOS volume source',
      { volumes: [{ name: 'a', storageos: { volumeName: 'x' } }] },
      'spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`warnings about pods name ${subject}`, () => assert.deepEqual(podWarnings(pod(spec), undefined), expected));
  }

  it('warnings about pods name a negative terminationGracePeriodSeconds in templates, but not in pods, where it becomes 1', () => {
    const spec = { terminationGracePeriodSeconds: -1 };
    assert.deepEqual(podTemplateWarnings({ spec }, 'template'), [
      'template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
    assert.deepEqual(podWarnings(pod(spec), undefined), []);
  });

  it('warnings about pods name annotations that fields have replaced', () => {
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

  it('warnings about pods are given on create only', () => {
    const old = pod({ terminationGracePeriodSeconds: -1 });
    assert.deepEqual(podWarnings(old, old), []);
  });

  it('warnings about pods name the path of the field within a template', () => {
    assert.deepEqual(podTemplateWarnings({ spec: { terminationGracePeriodSeconds: -1 } }, 'spec.template'), [
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
  });

  it('warnings about a pod template repeat when the generation increases, those about names do not', () => {
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
