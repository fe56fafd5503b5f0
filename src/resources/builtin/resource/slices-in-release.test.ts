// Validation of ResourceSlices in releases after the one that is served by default.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strategyContext } from '../../../../test/contract/defaults.ts';
import type { JsonObject } from '../../../api/object.ts';
import type { ResourceSlice } from './v1-objects.ts';
import { resourceSliceRules } from './validation-slice.ts';

const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };

function slice(spec: JsonObject): ResourceSlice {
  return { metadata: { name: 's' }, spec: { driver: 'a.b', pool, allNodes: true, ...spec } } as ResourceSlice;
}

/** The faults of a slice as `field: detail`. */
function faults(spec: JsonObject, minor = 37, previous?: JsonObject): string[] {
  const context = { ...strategyContext(), minor };
  const { validateCreate, validateUpdate } = resourceSliceRules;
  const found =
    previous === undefined
      ? validateCreate?.(slice(spec), context)
      : validateUpdate?.(slice(spec), slice(previous), context);
  return [...(found ?? [])].map(({ field, detail }) => `${field}: ${detail}`.trim());
}

const device = (members: JsonObject): JsonObject => ({ devices: [{ name: 'd', ...members }] });
const devices = (count: number, members: JsonObject = {}): JsonObject => ({
  devices: Array.from({ length: count }, (_, index) => ({ name: `d${index}`, ...members })),
});
const counters = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { value: '1' }]));
const sets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `s${index}`, counters: counters(1) }));
const consumes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ counterSet: `s${index}`, counters: counters(1) }));

describe('shared counters of a ResourceSlice from 1.35 on', () => {
  it('shared counters of a ResourceSlice from 1.35 on are in slices without devices', () => {
    const both = { ...device({}), sharedCounters: sets(1) };
    assert.deepEqual(faults(both, 34), []);
    assert.deepEqual(faults(both, 35), ['spec: only one of `sharedCounters` or `devices` is allowed']);
    assert.deepEqual(faults({ sharedCounters: sets(8) }), []);
    assert.equal(faults(device({ consumesCounters: consumes(1) }), 34).length, 1, 'not in this slice');
    assert.deepEqual(faults(device({ consumesCounters: consumes(1) })), []);
  });

  it('shared counters of a ResourceSlice from 1.35 on are limited per counter set and per device', () => {
    const [tooManySets = ''] = faults({ sharedCounters: sets(9) });
    assert.match(tooManySets, /^spec\.sharedCounters: /);
    assert.equal(faults({ sharedCounters: [{ name: 's', counters: counters(33) }] }).length, 1);
    assert.equal(faults(device({ consumesCounters: consumes(3) })).length, 1);
    assert.deepEqual(faults(devices(128)), []);
    assert.equal(faults(devices(65, { consumesCounters: consumes(1) })).length, 1);
  });
});

describe('the range of what claims may request of a capacity', () => {
  const range = (policy: JsonObject, standard: string, minor: number) => {
    const requestPolicy = { validRange: { min: '2', ...policy }, default: standard };
    const found = faults(
      device({ capacity: { mem: { value: '100', requestPolicy } }, allowMultipleAllocations: true }),
      minor,
    );
    return found.map((each) => each.replace('spec.devices[0].capacity[mem].requestPolicy.validRange', ''));
  };

  it('the range of what claims may request of a capacity has errors about the default at the default from 1.37 on', () => {
    assert.deepEqual(range({}, '1', 36), ['.min: default is less than min: 2']);
    assert.deepEqual(range({}, '1', 37), ['.default: default is less than min: 2']);
    assert.deepEqual(range({ max: '3' }, '4', 37), ['.default: default is more than max: 3']);
  });

  it('the range of what claims may request of a capacity is in steps of positive amounts from 1.37 on', () => {
    assert.deepEqual(range({ step: '-1' }, '2', 36), []);
    assert.deepEqual(range({ step: '-1' }, '2', 37), ['.step: must be greater than zero']);
    assert.deepEqual(range({ min: '-1', step: '1' }, '2', 37), ['.min: must be greater than or equal to 0']);
  });
});

describe('taints of devices from 1.35 on', () => {
  it('taints of devices from 1.35 on may have the effect None, and are sixteen at most', () => {
    const taints = (count: number) => ({
      taints: Array.from({ length: count }, (_, index) => ({ key: `k${index}`, effect: 'None' })),
    });
    assert.equal(faults(device(taints(1)), 34).length, 1);
    assert.deepEqual(faults(device(taints(16))), []);
    assert.equal(faults(device(taints(17))).length, 1);
    assert.deepEqual(faults(device(taints(17)), 37, device(taints(17))), [], 'stored ones may stay');
  });
});

describe('attributes of devices', () => {
  it('attributes of devices may be lists from 1.36 on, whose items count toward the limit', () => {
    const lists = { a: { strings: ['x', 'y'] }, b: { ints: [1] }, c: { versions: ['1.0.0'] }, d: { bools: [true] } };
    assert.deepEqual(faults(device({ attributes: lists })), []);
    const wrong = { a: { versions: ['x'] }, b: { strings: ['x'], int: 1 } };
    assert.deepEqual(faults(device({ attributes: wrong })), [
      'spec.devices[0].attributes[a].versions[0]: must be a string compatible with semver.org spec 2.0.0',
      'spec.devices[0].attributes[b]: exactly one value must be specified',
    ]);
    const strings = Array.from({ length: 49 }, String);
    assert.deepEqual(faults(device({ attributes: { a: { strings } } })), [
      'spec.devices[0]: the total number of attribute values must not exceed 48',
    ]);
  });

  it('attributes of devices with invalid names are reported at the path of the map from 1.36 on', () => {
    const attributes = { '/x': { int: 1 } };
    assert.match(faults(device({ attributes }), 35).join(), /^spec\.devices\[0\]\.attributes\[\/x\]: /);
    assert.match(faults(device({ attributes }), 36).join(), /^spec\.devices\[0\]\.attributes: /);
  });

  it('attributes of devices hold the partition type of a device as a string', () => {
    const partitioned = (attributes: JsonObject) => ({
      ...device({ consumesCounters: consumes(1), attributes }),
      partitionTypeAttribute: 'a.b/profile',
    });
    assert.deepEqual(faults(partitioned({ profile: { string: 'half' } })), []);
    const named = '`partitionTypeAttribute` names this attribute';
    const field = 'spec.devices[0].attributes[a.b/profile]';
    assert.deepEqual(faults(partitioned({})), [`${field}: device consumes counters and ${named}, so it must be set`]);
    assert.deepEqual(faults(partitioned({ 'a.b/profile': { int: 1 } })), [
      `${field}: must be a string value because ${named}`,
    ]);
    assert.deepEqual(faults({ ...device({}), partitionTypeAttribute: 'a.b/profile' }), [
      'spec.partitionTypeAttribute: may only be set on a slice which declares devices that consume counters',
    ]);
  });
});

describe('allocatable resources of the node that a device uses', () => {
  const taking = (nodeAllocatableResources: JsonObject) =>
    faults(device({ capacity: { mem: { value: '1Gi' } }, nodeAllocatableResources })).map((each) =>
      each.replace('spec.devices[0].nodeAllocatableResources', '·'),
    );

  it('allocatable resources of the node that a device uses are given by a mapping of its capacity, an overhead or both', () => {
    const mapping = { capacityKey: 'mem', capacityMultiplier: '1' };
    assert.deepEqual(taking({ memory: { mapping, overhead: { perPod: '1' } } }), []);
    assert.deepEqual(taking({ memory: {} }), ['·[memory]: at least one of mapping or overhead must be set']);
    assert.deepEqual(taking({ disk: { overhead: { perPod: '-1' } } }), [
      '·[disk]: must be a node allocatable resource name',
      '·[disk].overhead.perPod: must be non-negative',
    ]);
    assert.deepEqual(taking({ cpu: { mapping: { capacityKey: 'x' }, overhead: {} } }), [
      '·[cpu].mapping.capacityKey:',
      '·[cpu].mapping.capacityMultiplier: capacityMultiplier is required when capacityKey is set',
      '·[cpu].overhead: at least one of perPod or perContainer must be set',
    ]);
  });

  it('allocatable resources of the node that a device uses cannot skip NodePrepareResources without NodeUnprepareResources', () => {
    assert.deepEqual(faults({ ...device({}), skipNodeOperations: ['NodePrepareResources'] }), [
      'spec.skipNodeOperations: NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped',
    ]);
    assert.deepEqual(faults({ ...device({}), skipNodeOperations: ['*', 'NodePrepareResources'] }), []);
  });
});
