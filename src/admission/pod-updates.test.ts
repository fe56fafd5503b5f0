import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { ShortTurns } from '../base/short-turns.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { nodeDeclaredFeatures } from './node-declared-features.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { podResizeValidator } from './pod-resize.ts';

function nodes(...all: readonly ApiObject[]): ObjectLookup {
  return { find: async (_, __, name) => all.find(({ metadata }) => metadata.name === name), all: async () => all };
}

/** Every gate is on or off. */
function needs(isOn: boolean) {
  const turns = new ShortTurns({ now: () => 0 }, (run) => run());
  return { gateEnabled: () => isOn, turns };
}

interface Asked {
  readonly minor?: number;
  readonly subresource?: string;
  readonly generation?: number;
}

/** Lets a plugin judge an update of a pod on the node `n`, which raises its generation. */
async function updated(plugin: AdmissionPlugin, specs: readonly [JsonObject, JsonObject], asked: Asked = {}) {
  const { minor = 37, subresource = 'resize', generation = 2 } = asked;
  const [previous, object] = specs.map((spec, index) => ({
    metadata: { name: 'p', generation: index === 0 ? 1 : generation },
    spec: { nodeName: 'n', ...spec },
    status: { qosClass: 'Guaranteed' },
  }));
  const request = { definition: { group: '', resource: 'pods', minor }, namespace: 'd', name: 'p', subresource };
  // Plugins may be asked for more than they need here.
  await plugin.admit({ request, operation: 'update', object, previous, dryRun: false } as unknown as AdmissionRequest);
}

const asking = (requests: JsonObject): JsonObject => ({ containers: [{ name: 'c', resources: { requests } }] });

describe('PodResizeValidator', () => {
  const small = asking({ cpu: '1', memory: '1Gi' });
  const large = asking({ cpu: '2500m', memory: '3Gi' });
  const node = (labels: Record<string, string> = {}): ApiObject => ({
    metadata: { name: 'n', labels },
    status: { allocatable: { cpu: '2', memory: '2Gi' } },
  });
  const plugin = podResizeValidator(nodes(node()), true);

  it('a resize beyond the allocatable resources of the node is forbidden, with the resources named', async () => {
    const lacks = 'cpu, requested: 2500, allocatable: 2000; memory, requested: 3221225472, allocatable: 2147483648';
    await assert.rejects(updated(plugin, [small, large]), {
      code: 403,
      message: `pods "p" is forbidden: node didn't have enough allocatable resources: ${lacks}`,
      details: { name: 'p', kind: 'pods', causes: [{ reason: 'NodeCapacity' }] },
    });
    await updated(plugin, [large, small]);
  });

  it('a resize on a node that is not Linux or does not exist is forbidden', async () => {
    const windows = podResizeValidator(nodes(node({ 'kubernetes.io/os': 'windows' })), true);
    await assert.rejects(updated(windows, [large, small]), {
      message: 'pods "p" is forbidden: pod resize is only supported on linux nodes, node "n" is "windows"',
      details: { name: 'p', kind: 'pods', causes: [{ reason: 'UnsupportedPlatform' }] },
    });
    await updated(podResizeValidator(nodes(node({ 'kubernetes.io/os': 'linux' })), true), [large, small]);
    await assert.rejects(updated(podResizeValidator(nodes(), true), [large, small]), {
      message: 'pods "p" is forbidden: node "n" not found',
    });
  });

  it('PodResizeValidator ignores other updates and pods without a node', async () => {
    await updated(plugin, [small, large], { subresource: '' });
    await updated(plugin, [small, large], { generation: 1 });
    await updated(plugin, [small, { ...large, nodeName: '' }]);
    await updated(podResizeValidator(nodes(), false), [small, large]);
  });
});

describe('NodeDeclaredFeatureValidator', () => {
  const whole = (cpu: string): JsonObject => ({ resources: { requests: { cpu } }, initContainers: [{ name: 'i' }] });
  const on = needs(true);
  const bare: ApiObject = { metadata: { name: 'n' } };
  const plugin = nodeDeclaredFeatures(nodes(bare), on);
  const lacking = (features: string) => ({
    code: 403,
    message: `pods "p" is forbidden: pod update requires features ${features} which are not available on node "n"`,
  });

  it('a change of the resources of a pod or its init containers is forbidden unless the node declares the feature', async () => {
    const next = { ...whole('2'), initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }] };
    const both = ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'];
    await assert.rejects(updated(plugin, [whole('1'), next]), lacking(both.join(', ')));
    await assert.rejects(updated(plugin, [whole('1'), next], { subresource: '' }), lacking(both.join(', ')));
    await assert.rejects(updated(plugin, [whole('1'), next], { minor: 35 }), lacking(both[0]!));
    const able = nodeDeclaredFeatures(nodes({ ...bare, status: { declaredFeatures: both } }), on);
    await updated(able, [whole('1'), next]);
  });

  it('features for the CPU of guaranteed pods are required in 1.35, and for volumes in memory from 1.37 on', async () => {
    const cpus: [JsonObject, JsonObject] = [asking({ cpu: '1' }), asking({ cpu: '2' })];
    await assert.rejects(updated(plugin, cpus, { minor: 35 }), lacking('GuaranteedQoSPodCPUResize'));
    await updated(plugin, cpus, { minor: 36 });
    const sized = (sizeLimit: string): JsonObject => ({
      volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit } }],
    });
    const volumes: [JsonObject, JsonObject] = [sized('1Mi'), sized('2Mi')];
    await assert.rejects(updated(plugin, volumes), lacking('InPlacePodVerticalScalingMemoryBackedVolumes'));
    await updated(plugin, volumes, { minor: 36 });
  });

  it('an update that needs no feature, and a status update, is admitted', async () => {
    await updated(plugin, [asking({ cpu: '1' }), asking({ cpu: '2' })]);
    await updated(plugin, [whole('1'), whole('2')], { subresource: 'status' });
    await updated(nodeDeclaredFeatures(nodes(), needs(false)), [whole('1'), whole('2')]);
    await assert.rejects(updated(nodeDeclaredFeatures(nodes(), on), [whole('1'), whole('2')]), {
      message: 'pods "p" is forbidden: node "n" not found',
    });
  });
});

describe('NodeDeclaredFeatureValidator of ResourceSlices in 1.37', () => {
  const able = { status: { declaredFeatures: ['DRANodeAllocatableResources'] } };
  const plugin = nodeDeclaredFeatures(
    nodes(
      { metadata: { name: 'able', labels: { zone: 'a', size: '8' } }, ...able },
      { metadata: { name: 'bare', labels: { zone: 'b', size: '3' } } },
    ),
    needs(true),
  );
  const taking = { name: 'd', nodeAllocatableResources: { cpu: { overhead: { perPod: '1' } } } };

  /** What the plugin says to a new slice: '' if nothing. */
  async function told(spec: JsonObject, minor = 37): Promise<string> {
    const request = { definition: { group: 'resource.k8s.io', resource: 'resourceslices', minor }, subresource: '' };
    const object = { metadata: { name: 's' }, spec: { devices: [taking], ...spec } };
    try {
      const asked = { request: { ...request, name: 's' }, operation: 'create', object };
      await plugin.admit(asked as unknown as AdmissionRequest);
      return '';
    } catch (error) {
      return (error as Error).message.replace(/^.*? is forbidden: /, '');
    }
  }
  const unable = 'node "bare" does not support DRANodeAllocatableResources feature';
  const selecting = (key: string, operator: string, ...values: string[]) => ({
    nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }] },
  });

  it('a ResourceSlice with a device that takes resources of its node is forbidden unless the node declares the feature', async () => {
    assert.equal(await told({ nodeName: 'able' }), '');
    assert.equal(await told({ nodeName: 'bare' }), unable);
    assert.equal(await told({ nodeName: 'gone' }), 'node "gone" not found for device "d"');
    assert.equal(await told({ nodeName: 'bare' }, 36), '');
    assert.equal(await told({ nodeName: 'bare', devices: [{ name: 'd' }] }), '');
    const devices = [{ ...taking, nodeName: 'bare' }];
    assert.equal(await told({ perDeviceNodeSelection: true, devices }), unable);
  });

  it('a ResourceSlice that selects several nodes is forbidden unless all of them declare the feature', async () => {
    assert.equal(await told({ allNodes: true }), unable);
    assert.equal(await told(selecting('zone', 'In', 'a')), '');
    assert.equal(await told(selecting('zone', 'NotIn', 'a')), unable);
    assert.equal(await told(selecting('size', 'Gt', '5')), '');
    assert.equal(await told(selecting('size', 'Lt', '5')), unable);
    assert.equal(await told(selecting('other', 'Exists')), '');
    assert.equal(await told(selecting('other', 'DoesNotExist')), unable);
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['bare'] }];
    assert.equal(await told({ nodeSelector: { nodeSelectorTerms: [{}, { matchFields }] } }), unable);
  });
});
