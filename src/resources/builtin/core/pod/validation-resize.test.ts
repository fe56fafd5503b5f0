import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import type { Pod } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { validateResizable, validateResize } from './validation-resize.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

const WEB: JsonObject = { name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } };
const QUIET: PodRules = { minor: 34, gateEnabled: () => false };

function pod(change: JsonObject = {}): ApiObject {
  return { metadata: { name: 'p' }, spec: { containers: [WEB], ...change }, status: { qosClass: 'Burstable' } };
}

function resize(next: Pod, previous: Pod, rules = QUIET): FieldError[] {
  return validateResize(next, previous, { found: [], rules });
}

function inRelease(minor: number, ...gates: readonly string[]): PodRules {
  return { minor, gateEnabled: (gate) => gates.includes(gate) };
}

for (const [subject, container, ...expected] of [
  ['more CPU', { resources: { requests: { cpu: '2' } } }],
  ['a limit', { resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }],
  [
    'no request',
    { resources: {} },
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
  ],
  [
    'storage',
    { resources: { requests: { cpu: '1', 'ephemeral-storage': '1' } } },
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'another name',
    { name: 'other', resources: { requests: { cpu: '1' } } },
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ],
] as readonly (readonly [string, JsonObject, ...string[]])[]) {
  it(`a resize of a container to ${subject}`, () => {
    assert.deepEqual(text(resize(pod({ containers: [{ ...WEB, ...container }] }), pod())), expected);
  });
}

it('a resize does not validate resource lists that the container did not have', () => {
  const resources = { requests: { cpu: '1' }, limits: { cpu: '2', 'ephemeral-storage': '1' } };
  assert.deepEqual(resize(pod({ containers: [{ ...WEB, resources }] }), pod()), []);
});

it('a resize adds no containers, and requires a node that supports it', () => {
  const more = pod({ containers: [WEB, { ...WEB, name: 'more' }] });
  assert.deepEqual(text(resize(more, pod())), [
    'spec.containers: Forbidden: containers may not be added or removed on resize',
  ]);
  const running = { ...pod(), status: { containerStatuses: [{ name: 'web', state: { running: {} } }] } };
  assert.deepEqual(text(resize(running, running)), ['spec: Forbidden: Pod running on node without support for resize']);
  const windows = pod({ os: { name: 'windows' } });
  assert.deepEqual(text(validateResizable(windows, windows, {})), ['[]: Forbidden: windows pods cannot be resized']);
  const [unsized, sized] = [pod({ resources: {} }), pod({ resources: { limits: { cpu: '1' } } })];
  assert.deepEqual(text(validateResizable(unsized, unsized, {})), []);
  assert.deepEqual(text(validateResizable(unsized, sized, {})), [
    '[]: Forbidden: pods with pod-level resources cannot be resized',
  ]);
});

const WHOLE = 'InPlacePodLevelResourcesVerticalScaling';

it('a resize of pod-level resources needs the gate InPlacePodLevelResourcesVerticalScaling from 1.35 on', () => {
  const before = pod({ resources: { requests: { cpu: '1' } } });
  const after = pod({ resources: { requests: { cpu: '2' } } });
  assert.deepEqual(validateResizable(after, before, inRelease(35)), []);
  assert.deepEqual(text(resize(after, before, inRelease(35))), [
    '[]: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
  ]);
  assert.deepEqual(text(resize(after, before, inRelease(36, WHOLE))), []);
});

it('a resize changes only CPU and memory of pod-level resources, and removes neither', () => {
  const before = pod({ resources: { requests: { cpu: '1' } } });
  const paged = pod({ resources: { requests: { cpu: '1', 'hugepages-2Mi': '2Mi' } } });
  assert.deepEqual(text(resize(paged, before, inRelease(36, WHOLE))), [
    'spec: Forbidden: only cpu and memory resources are mutable at pod-level',
  ]);
  const none = pod({ resources: { limits: { cpu: '1' } } });
  assert.deepEqual(text(resize(none, before, inRelease(36, WHOLE))), [
    'spec.resources.requests: Forbidden: pod-level resource requests cannot be removed',
  ]);
});

it('a resize of an init container needs the gate InPlacePodVerticalScalingInitContainers', () => {
  const init = (change: JsonObject) => pod({ initContainers: [{ name: 'init', image: 'b', ...change }] });
  const before = init({ resources: { requests: { cpu: '1' } } });
  const after = init({ resources: { requests: { cpu: '2' } } });
  const gate = 'InPlacePodVerticalScalingInitContainers';
  const refused = ['spec: Forbidden: resources for non-sidecar init containers are immutable'];
  assert.deepEqual(text(resize(after, before)), refused);
  assert.deepEqual(text(resize(after, before, inRelease(36))), refused);
  assert.deepEqual(text(resize(after, before, inRelease(36, gate))), []);
  const restarting = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
  const [old, next] = ['1', '2'].map((cpu) => init({ ...restarting, resources: { requests: { cpu } } }));
  assert.deepEqual(text(resize(next as Pod, old as Pod, inRelease(36, gate))), [
    'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
  ]);
});

it('a resize of volumes needs the gate InPlacePodVerticalScalingMemoryBackedVolumes and volumes in memory', () => {
  const volume = (emptyDir: JsonObject) => pod({ volumes: [{ name: 'v', emptyDir }] });
  const gate = 'InPlacePodVerticalScalingMemoryBackedVolumes';
  const inMemory = (sizeLimit: string) => volume({ medium: 'Memory', sizeLimit });
  const [before, after] = [inMemory('1Gi'), inMemory('2Gi')];
  assert.match(text(resize(after, before, inRelease(37)))[0] ?? '', /^spec.volumes: Forbidden: volumes are immutable/);
  assert.deepEqual(text(resize(after, before, inRelease(37, gate))), []);
  assert.deepEqual(text(resize(volume({ medium: 'Memory' }), before, inRelease(37, gate))), [
    'spec.volumes[0].emptyDir.sizeLimit: Forbidden: adding or removing sizeLimit on an existing volume is not allowed',
  ]);
  const [small, large] = [volume({ sizeLimit: '1Gi' }), volume({ sizeLimit: '2Gi' })];
  assert.deepEqual(text(resize(large, small, inRelease(37, gate))), [
    'spec.volumes[0].emptyDir.sizeLimit: Forbidden: sizeLimit is only mutable for memory-backed emptyDir volumes',
  ]);
});
