import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import { labelFaults, levelVersionText, policyOf } from './policy.ts';

const label = (name: string) => `pod-security.kubernetes.io/${name}`;

function labelled(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [label(name), value]));
}

describe('the Pod Security policy of a namespace', () => {
  const cases: readonly [Record<string, string>, enforce: string, warn: string][] = [
    [{}, 'privileged:latest', 'privileged:latest'],
    [{ enforce: 'baseline' }, 'baseline:latest', 'baseline:latest'],
    [{ enforce: 'baseline', 'enforce-version': 'v1.20' }, 'baseline:v1.20', 'baseline:v1.20'],
    [{ enforce: 'baseline', 'warn-version': 'v1.20' }, 'baseline:latest', 'baseline:v1.20'],
    [{ enforce: 'restricted', warn: 'privileged' }, 'restricted:latest', 'privileged:latest'],
    [{ warn: 'baseline', 'warn-version': 'v1.7' }, 'privileged:latest', 'baseline:v1.7'],
    [{ audit: 'restricted' }, 'privileged:latest', 'privileged:latest'],
    [{ enforce: 'strict' }, 'restricted:latest', 'privileged:latest'],
    [{ enforce: 'baseline', warn: 'strict' }, 'baseline:latest', 'privileged:latest'],
    [{ enforce: 'baseline', 'enforce-version': '1.20' }, 'baseline:latest', 'baseline:latest'],
  ];
  for (const [labels, enforce, warn] of cases) {
    it(`the Pod Security policy of a namespace follows its labels ${JSON.stringify(labels)}`, () => {
      const policy = policyOf(labelled(labels));
      assert.deepEqual([levelVersionText(policy.enforce), levelVersionText(policy.warn)], [enforce, warn]);
    });
  }

  it('a namespace without labels has the policy privileged', () => {
    assert.equal(levelVersionText(policyOf(undefined).enforce), 'privileged:latest');
  });
});

describe('errors of Pod Security labels', () => {
  it('each invalid Pod Security label is an error, in the order of the labels', () => {
    const faults = labelFaults(
      labelled({ 'warn-version': 'v1.x', warn: 'baseline', audit: 'none', 'audit-version': 'v1.01', enforce: '' }),
    );
    const level = 'must be one of privileged, baseline, restricted';
    const version = 'must be "latest" or "v1.x"';
    assert.deepEqual(
      faults.map((fault) => [fault.field, fieldErrorBody(fault)]),
      [
        [`metadata.labels[${label('enforce')}]`, `Invalid value: "": ${level}`],
        [`metadata.labels[${label('audit')}]`, `Invalid value: "none": ${level}`],
        [`metadata.labels[${label('audit-version')}]`, `Invalid value: "v1.01": ${version}`],
        [`metadata.labels[${label('warn-version')}]`, `Invalid value: "v1.x": ${version}`],
      ],
    );
  });

  it('a version label may name any minor version of Kubernetes 1', () => {
    assert.deepEqual(labelFaults(labelled({ 'enforce-version': 'v1.99', 'warn-version': 'latest', other: 'x' })), []);
    assert.deepEqual(labelFaults(undefined), []);
  });

  for (const version of ['', 'v1', 'v1.', 'v2.0', '1.20', 'v1.20.1', 'Latest', `v1.${'9'.repeat(30)}`]) {
    it(`a version label of ${version} is invalid`, () =>
      assert.equal(labelFaults(labelled({ 'enforce-version': version })).length, 1));
  }
});
