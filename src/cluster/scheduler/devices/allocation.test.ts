import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listerOf, makeNode } from '../../../../test/scheduling-objects.ts';
import { deviceMatcher } from '../../../resources/builtin/resource/device-selection.ts';
import type { DeviceClaim, ResourceClaim, ResourceSlice } from '../../../resources/builtin/resource/v1-objects.ts';
import { allocate, takenDevices } from './allocation.ts';

const DRIVER = 'gpu.example.com';

/** A slice of devices that have a model, and sit on a board. */
function slice(
  name: string,
  devices: readonly (readonly [model: string, board: string])[],
  generation = 1,
): ResourceSlice {
  return {
    metadata: { name },
    spec: {
      ...{ driver: DRIVER, nodeName: 'one', pool: { name: 'pool', generation, resourceSliceCount: 1 } },
      devices: devices.map(([model, board], index) => ({
        name: `d${index}`,
        attributes: { model: { string: model }, board: { string: board } },
      })),
    },
  };
}

function claim(devices: DeviceClaim): ResourceClaim {
  return { metadata: { namespace: 'default', name: 'c' }, spec: { devices } };
}

const ofModel = (model: string) => ({
  selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "${model}"` } }],
});
const exactly = (name: string, wanted: object = {}) => ({ name, exactly: { deviceClassName: 'gpu', ...wanted } });

function allocated(claims: readonly ResourceClaim[], slices: readonly ResourceSlice[], taken: readonly string[] = []) {
  const classes = listerOf([{ metadata: { name: 'gpu' } }]);
  const matcher = (expression: string) => deviceMatcher(expression, false);
  const found = allocate(claims, makeNode('one'), { classes, matcher, slices, taken: new Set(taken) });
  if (found === undefined || found === 'too long') return found;
  return found.flatMap(({ devices }) => (devices?.results ?? []).map(({ request, device }) => `${request}: ${device}`));
}

test('requests get the first devices that match, each device once', () => {
  const slices = [
    slice('s', [
      ['a', 'x'],
      ['b', 'x'],
      ['b', 'y'],
    ]),
  ];
  const requests = [exactly('any'), exactly('b', ofModel('b'))];
  assert.deepEqual(allocated([claim({ requests })], slices), ['any: d0', 'b: d1']);
  assert.deepEqual(allocated([claim({ requests })], slices, [`${DRIVER}/pool/d0`]), ['any: d1', 'b: d2']);
});

test('an earlier choice is reconsidered if a later request needs the device', () => {
  const slices = [
    slice('s', [
      ['a', 'x'],
      ['b', 'x'],
    ]),
  ];
  const requests = [exactly('any'), exactly('a', ofModel('a'))];
  assert.deepEqual(allocated([claim({ requests })], slices), ['any: d1', 'a: d0']);
});

test('a request for all devices takes every one that matches, or none', () => {
  const slices = [
    slice('s', [
      ['a', 'x'],
      ['b', 'x'],
      ['a', 'y'],
    ]),
  ];
  const requests = [exactly('all', { allocationMode: 'All', ...ofModel('a') })];
  assert.deepEqual(allocated([claim({ requests })], slices), ['all: d0', 'all: d2']);
  assert.equal(allocated([claim({ requests })], slices, [`${DRIVER}/pool/d2`]), undefined);
});

test('the first available subrequest is taken', () => {
  const slices = [slice('s', [['b', 'x']])];
  const subrequest = (name: string) => ({ name, deviceClassName: 'gpu', ...ofModel(name) });
  const requests = [{ name: 'gpu', firstAvailable: [subrequest('a'), subrequest('b')] }];
  assert.deepEqual(allocated([claim({ requests })], slices), ['gpu/b: d0']);
});

test('devices with a matchAttribute constraint have the same value', () => {
  const slices = [
    slice('s', [
      ['a', 'x'],
      ['a', 'y'],
      ['a', 'y'],
    ]),
  ];
  const devices = { requests: [exactly('two', { count: 2 })], constraints: [{ matchAttribute: `${DRIVER}/board` }] };
  assert.deepEqual(allocated([claim(devices)], slices), ['two: d1', 'two: d2']);
});

test('only the newest generation of a pool counts, and nothing is taken from a pool that is incomplete', () => {
  const slices = [
    slice('old', [
      ['a', 'x'],
      ['a', 'x'],
    ]),
    slice('new', [['b', 'x']], 2),
  ];
  assert.deepEqual(allocated([claim({ requests: [exactly('any')] })], slices), ['any: d0']);
  assert.equal(allocated([claim({ requests: [exactly('any', { count: 2 })] })], slices), undefined);
  const { spec, ...rest } = slice('part', [['a', 'x']]);
  const part = { ...rest, spec: { ...spec, pool: { ...spec?.pool, resourceSliceCount: 2 } } };
  assert.throws(
    () => allocated([claim({ requests: [exactly('all', { allocationMode: 'All' })] })], [part]),
    /asks for all devices, but resource pool gpu.example.com\/pool is currently being updated/,
  );
});

test('a search for devices that takes too long is given up', () => {
  const slices = [
    slice(
      's',
      Array.from({ length: 30 }, (_, index) => ['a', `board-${index}`] as const),
    ),
  ];
  const devices = { requests: [exactly('many', { count: 15 }), exactly('b', ofModel('b'))] };
  assert.equal(allocated([claim(devices)], slices), 'too long');
});

test('adminAccess to a device does not allocate it', () => {
  const result = { request: 'r', driver: DRIVER, pool: 'pool', device: 'd0' };
  const withResults = (...results: object[]): ResourceClaim => ({
    metadata: {},
    status: { allocation: { devices: { results } } },
  });
  assert.deepEqual([...takenDevices([withResults(result)])], [`${DRIVER}/pool/d0`]);
  assert.deepEqual([...takenDevices([withResults({ ...result, adminAccess: true })])], []);
});
