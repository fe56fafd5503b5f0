import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceMatcher } from './device-selection.ts';

const of = {
  driver: 'gpu.example.com',
  device: {
    name: 'gpu-0',
    attributes: {
      model: { string: 'A100' },
      cores: { int: 8 },
      'other.example.com/version': { version: '1.2.3' },
    },
    capacity: { memory: { value: '40Gi' } },
  },
};
const selects = (expression: string) => deviceMatcher(expression, false)(of);

test('a device selector sees the driver, the attributes and the capacity of a device', () => {
  assert.equal(selects('device.driver == "gpu.example.com"'), true);
  assert.equal(selects('device.attributes["gpu.example.com"].model == "A100"'), true);
  assert.equal(selects('device.attributes["gpu.example.com"].cores > 8'), false);
  assert.equal(selects('device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("32Gi"))'), true);
  assert.equal(selects('device.attributes["other.example.com"].version.isGreaterThan(semver("1.2.0"))'), true);
});

test('a device without a domain of attributes has none of its attributes, and reading one is an error', () => {
  assert.equal(selects('has(device.attributes["none.example.com"].model)'), false);
  assert.throws(() => selects('device.attributes["none.example.com"].model == "x"'), /CEL runtime error: no such key/);
});

test('an invalid device selector is an error', () => {
  assert.throws(() => selects('device.nothing'), /CEL compile error: compilation failed/);
});
