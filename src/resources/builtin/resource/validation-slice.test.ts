import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strategyContext } from '../../../../test/contract/defaults.ts';
import type { JsonObject } from '../../../api/object.ts';
import type { ResourceSlice } from './v1beta2-objects.ts';
import { resourceSliceRules } from './validation-slice.ts';

const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };

/** The faults of a slice, each as `field: detail`; what stands before `devices[0]` is left out. */
function faults(spec: JsonObject): string[] {
  const slice = { metadata: { name: 's' }, spec: { driver: 'gpu.example.com', pool, ...spec } };
  const found = resourceSliceRules.validateCreate?.(slice as ResourceSlice, strategyContext()) ?? [];
  return found.map(({ field, type, value, detail }) => {
    const quoted = value === undefined ? '' : ` ${JSON.stringify(value)}`;
    return `${field.replace('spec.devices[0]', '·')}: ${type.replace('FieldValue', '')}${quoted} ${detail}`.trim();
  });
}

const device = (members: JsonObject, spec: JsonObject = { allNodes: true }) =>
  faults({ ...spec, devices: [{ name: 'd', ...members }] });
const capacity = (requestPolicy: JsonObject) =>
  device({ allowMultipleAllocations: true, capacity: { m: { value: '10', requestPolicy } } });
const counters = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { value: '1' }]));

describe('the request policy of a shared capacity', () => {
  const cases: readonly [string, JsonObject, ...string[]][] = [
    ['may be a default alone', { default: '20' }],
    ['has a default that is one of its valid values', { default: '1', validValues: ['1', '2'] }],
    [
      'needs a default with valid values',
      { validValues: ['1'] },
      'default: Required required when validValues is defined',
    ],
    [
      'has sorted, unique valid values within the capacity',
      { default: '1', validValues: ['2', '1', '1', '11'] },
      'validValues[1]: Invalid "1" values must be sorted in ascending order',
      'validValues[3]: Invalid "11" option is larger than capacity value: 10',
      'validValues[2]: Duplicate "1"',
    ],
    [
      'has a default among the valid values',
      { default: '3', validValues: ['1'] },
      'validValues: Invalid "3" default value is not valid according to the requestPolicy',
    ],
    [
      'needs a minimum in its range',
      { default: '1', validRange: {} },
      'validRange.min: Required required when validRange is defined',
    ],
    [
      'has a range within the capacity',
      { default: '1', validRange: { min: '11', max: '12' } },
      'validRange.min: Invalid "11" min is larger than capacity value: 10',
      'validRange.min: Invalid "1" default is less than min: 11',
      'validRange.max: Invalid "12" max is larger than capacity value: 10',
    ],
    [
      'has a step that reaches the maximum of its range',
      { default: '1', validRange: { min: '1', max: '4', step: '2' } },
      'validRange.step: Invalid "4" value is not a multiple of a given step (2) from (1)',
    ],
    [
      'has a positive step',
      { default: '1', validRange: { min: '1', step: '0' } },
      'validRange.step: Invalid "0" must be greater than zero',
    ],
  ];
  for (const [title, policy, ...expected] of cases) {
    it(`the request policy of a shared capacity ${title}`, () => {
      const at = '·.capacity[m].requestPolicy.';
      assert.deepEqual(
        capacity(policy),
        expected.map((line) => `${at}${line}`),
      );
    });
  }

  it('the request policy of a shared capacity is a single one, and needs allowMultipleAllocations', () => {
    const both = capacity({ default: '1', validValues: ['1'], validRange: { min: '1' } });
    assert.match(String(both), /requestPolicy: Forbidden exactly one policy can be specified/);
    const alone = device({ capacity: { m: { value: '10', requestPolicy: { default: '1' } } } });
    assert.deepEqual(alone, ['·.capacity[m].requestPolicy: Forbidden allowMultipleAllocations must be true']);
  });
});

describe('shared counters of a ResourceSlice', () => {
  const set = { name: 'a', counters: counters(2) };
  const consume = (...consumesCounters: JsonObject[]) =>
    device({ consumesCounters }, { allNodes: true, sharedCounters: [set] });

  it('shared counters of a ResourceSlice have unique names, and devices consume only those that exist', () => {
    assert.deepEqual(
      faults({ allNodes: true, sharedCounters: [set, { name: 'a' }, { name: '', counters: counters(1) }] }),
      [
        'spec.sharedCounters[1].counters: Required',
        'spec.sharedCounters[2].name: Required',
        'spec.sharedCounters[1].name: Duplicate "a"',
      ],
    );
    assert.deepEqual(consume({ counterSet: 'a', counters: counters(1) }), []);
    assert.deepEqual(consume({ counterSet: 'b', counters: counters(1) }, { counterSet: 'a', counters: { zz: {} } }), [
      '·.consumesCounters[0].counterSet: Invalid "b" must reference a counterSet defined in the ResourceSlice sharedCounters',
      '·.consumesCounters[1].counters: Invalid "zz" must reference a counter defined in the ResourceSlice sharedCounters',
    ]);
  });

  it('shared counters of a ResourceSlice are limited in number', () => {
    assert.deepEqual(faults({ allNodes: true, sharedCounters: [{ name: 'a', counters: counters(33) }] }), [
      'spec.sharedCounters: Invalid 33 the total number of shared counters must not exceed 32',
    ]);
    assert.match(
      String(consume({ counterSet: 'a', counters: counters(33) })),
      /·: Invalid 33 the total number of counters/,
    );
  });
});

describe('a device in a ResourceSlice', () => {
  it('a device in a ResourceSlice selects its nodes in one way if the slice has perDeviceNodeSelection', () => {
    const per = { perDeviceNodeSelection: true };
    assert.deepEqual(device({ nodeName: 'n' }, per), []);
    assert.match(String(device({}, per)), /^·: Required exactly one of/);
    assert.match(String(device({ nodeName: 'n', allNodes: true }, per)), /^·: Invalid "\{`nodeName`, `allNodes`\}"/);
    assert.match(String(device({ allNodes: true })), /^·: Invalid null `nodeName`, `nodeSelector` and `allNodes`/);
  });

  it("a ResourceSlice needs one term of a node selector, and quotes the terms in the form of Kubernetes' own types", () => {
    const nodeSelectorTerms = [{}, { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }];
    const quoted =
      '[{"MatchExpressions":null,"MatchFields":null},' +
      '{"MatchExpressions":[{"Key":"zone","Operator":"Exists","Values":null}],"MatchFields":null}]';
    const why = 'must have exactly one node selector term';
    assert.ok(
      faults({ nodeSelector: { nodeSelectorTerms } }).includes(
        `spec.nodeSelector.nodeSelectorTerms: Invalid ${quoted} ${why}`,
      ),
    );
  });

  it('a device in a ResourceSlice needs bindingFailureConditions beside bindingConditions, and has four taints at most', () => {
    assert.deepEqual(device({ bindingConditions: ['a'] }), [
      '·.bindingFailureConditions: Invalid null bindingFailureConditions are required to use bindingConditions',
    ]);
    const taints = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key, effect: 'NoExecute' }));
    assert.deepEqual(device({ taints }), ['·.taints: TooMany 5: must have at most 4 items']);
  });
});
