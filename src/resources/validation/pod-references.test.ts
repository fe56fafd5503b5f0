import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../api/errors.ts';
import {
  dataKeyFaults,
  validateDescendingPath,
  validateFieldReference,
  validateOwnPath,
  validateResourceReference,
} from './pod-references.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

describe('validation of references in pods', () => {
  it('validation of references in pods checks the keys of ConfigMaps and Secrets', () => {
    assert.deepEqual(dataKeyFaults('a.b_c-D'), []);
    assert.deepEqual(dataKeyFaults('..'), ["must not be '..'"]);
    assert.deepEqual(dataKeyFaults('..a'), ["must not start with '..'"]);
    assert.equal(dataKeyFaults('a b').length, 1);
    assert.equal(dataKeyFaults('a'.repeat(254)).length, 1);
  });

  const supported = ['metadata.name', 'spec.nodeName'];
  for (const [reference, expected] of [
    [{ apiVersion: 'v1', fieldPath: 'metadata.name' }, []],
    [{ apiVersion: 'v1', fieldPath: 'spec.host' }, []],
    [{ apiVersion: 'v1', fieldPath: "metadata.labels['app']" }, []],
    [{ apiVersion: '', fieldPath: 'metadata.name' }, ['f.apiVersion: Required value']],
    [{ apiVersion: 'v1' }, ['f.fieldPath: Required value']],
    [
      { apiVersion: 'v2', fieldPath: 'metadata.name' },
      ['f.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2'],
    ],
    [
      { apiVersion: 'v1', fieldPath: 'spec.x' },
      ['f.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x'],
    ],
    [
      { apiVersion: 'v1', fieldPath: "spec.x['y']" },
      [
        "f.fieldPath: Invalid value: \"spec.x['y']\": error converting fieldPath: field label does not support subscript: spec.x['y']",
      ],
    ],
    [
      { apiVersion: 'v1', fieldPath: 'status.phase' },
      ['f.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "spec.nodeName"'],
    ],
  ] as const) {
    it(`validation of references in pods checks the field ${JSON.stringify(reference)}`, () => {
      assert.deepEqual(text(validateFieldReference(reference, supported, 'f')), expected);
    });
  }

  for (const [reference, expected] of [
    [{ resource: 'limits.cpu', divisor: '1m' }, []],
    [{ resource: 'limits.hugepages-2Mi', divisor: '1Mi' }, []],
    [{}, ['f.resource: Required value']],
    [
      { resource: 'limits.cpu', divisor: '2' },
      ['f.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource'],
    ],
    [
      { resource: 'requests.memory', divisor: '2' },
      [
        'f.divisor: Invalid value: "requests.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
      ],
    ],
  ] as const) {
    it(`validation of references in pods checks the resource ${JSON.stringify(reference)}`, () => {
      assert.deepEqual(text(validateResourceReference(reference, false, 'f')), expected);
    });
  }

  it('validation of references in pods requires containerName in volumes', () => {
    assert.deepEqual(text(validateResourceReference({ resource: 'limits.cpu' }, true, 'f')), [
      'f.containerName: Required value',
    ]);
  });

  for (const [path, descending, own] of [
    ['a/b', [], []],
    ['/a', ['must be a relative path'], ['must be a relative path']],
    ['a/../b', ["must not contain '..'"], ["must not contain '..'"]],
    ['..a', [], ["must not start with '..'"]],
  ] as const) {
    it(`validation of references in pods checks the path ${path}`, () => {
      const details = (found: readonly FieldError[]) => found.map(({ detail }) => detail);
      assert.deepEqual(details(validateDescendingPath(path, 'f')), descending);
      assert.deepEqual(details(validateOwnPath(path, 'f')), own);
    });
  }
});
