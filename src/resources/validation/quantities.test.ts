import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import {
  compareAmounts,
  isExtendedResource,
  isFractional,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceAmount,
  validateWholePages,
} from './quantities.ts';

const STANDARD = 'must be a standard resource type or fully qualified';
const OF_CONTAINERS = 'must be a standard resource for containers';

describe('validation of resource quantities', () => {
  for (const [name, expected] of [
    ['cpu', []],
    ['hugepages-2Mi', []],
    ['example.com/gpu', []],
    ['disk', [STANDARD, OF_CONTAINERS]],
    ['storage', [OF_CONTAINERS]],
    ['requests.example.com/gpu', ["doesn't follow extended resource name standard"]],
  ] as const) {
    it(`validation of resource quantities checks the resource name of a container: ${name}`, () => {
      assert.deepEqual(
        validateContainerResourceName(name, 'f').map(({ detail }) => detail),
        expected,
      );
    });
  }

  for (const [name, amount, expected] of [
    ['cpu', '1500m', []],
    ['cpu', '-1', ['Invalid value: "-1": must be greater than or equal to 0']],
    ['example.com/gpu', '500m', ['Invalid value: "500m": must be an integer']],
    ['pods', '2k', []],
    ['pods', '1Ei', ['Invalid value: "1Ei": must be an integer']],
    ['pods', '1E', []],
    ['pods', '99999999999999999999', ['Invalid value: "99999999999999999999": must be an integer']],
    ['pods', '9223372036854775807', []],
    ['pods', '1500u', ['Invalid value: "1500u": must be an integer']],
  ] as const) {
    it(`validation of resource quantities checks the amount ${amount} of ${name}`, () => {
      assert.deepEqual(
        validateResourceAmount(name, amount, 'f').map((error) => fieldErrorBody(error)),
        expected,
      );
    });
  }

  for (const [one, other, expected] of [
    ['1', '1', 0],
    ['100m', '1', -1],
    ['2Gi', '1Gi', 1],
    ['1Gi', '1024Mi', 0],
    ['1e3', '1k', 0],
    ['999m', '1', -1],
  ] as const) {
    it(`validation of resource quantities compares ${one} with ${other}`, () =>
      assert.equal(compareAmounts(one, other), expected));
  }

  for (const [resource, amount, sound] of [
    ['hugepages-2Mi', '4Mi', true],
    ['hugepages-2Mi', '3Mi', false],
    ['hugepages-3', '4Mi', false],
    ['hugepages-x', '4Mi', false],
    ['hugepages-0', '4Mi', false],
  ] as const) {
    it(`validation of resource quantities checks that ${amount} of ${resource} are whole pages`, () => {
      const expected = `Invalid value: "${amount}": ${amount} is not positive integer multiple of ${resource}`;
      assert.deepEqual(
        validateWholePages(resource, amount, 'f').map((error) => fieldErrorBody(error)),
        sound ? [] : [expected],
      );
    });
  }

  it('validation of resource quantities recognizes fractions of bytes', () => {
    assert.deepEqual(['1500m', '1Gi', '100', '1k', '0.5', '1e3'].map(isFractional), [
      true,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('validation of resource quantities recognizes resources that may be overcommitted, and extended resources', () => {
    assert.deepEqual(['cpu', 'hugepages-2Mi', 'example.com/gpu'].map(mayOvercommit), [true, false, false]);
    assert.deepEqual(['cpu', 'kubernetes.io/x', 'example.com/gpu'].map(isExtendedResource), [false, false, true]);
  });
});
