import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldError, fieldError, fieldErrorBody } from '../api/errors.ts';
import { SEARCH_MESSAGE } from '../resources/builtin/core/pod/validation-network.ts';
import { EMBEDDED_TYPE } from '../schema/structural/embedded-objects.ts';
import { inReleaseWords } from './release-errors.ts';

/** An error as a minor release of Kubernetes 1 tells it. */
function told(error: FieldError, minor: number, { group = '', custom = false } = {}): string {
  const [only] = inReleaseWords([error], { minor, custom, group, kind: 'Any' });
  assert.ok(only !== undefined);
  return `${only.field}: ${fieldErrorBody(only)}`;
}

const { invalid, required, tooLong, tooMany } = fieldError;

test('releases before 1.34 write a list or a map of strings in the syntax of Go', () => {
  const rule = 'rules cannot apply to both';
  const names = invalid('rules[0].nonResourceURLs', ['/a', '/"'], rule);
  assert.equal(told(names, 33), `rules[0].nonResourceURLs: Invalid value: []string{"/a", "/\\""}: ${rule}`);
  assert.equal(told(names, 34), `rules[0].nonResourceURLs: Invalid value: ["/a","/\\""]: ${rule}`);
  const labels = (value: unknown) => told(invalid('metadata.labels', value, 'no'), 31);
  assert.equal(labels({ b: '2', a: '1' }), 'metadata.labels: Invalid value: map[string]string{"a":"1", "b":"2"}: no');
  assert.equal(labels(undefined), 'metadata.labels: Invalid value: map[string]string(nil): no');
  assert.equal(told(invalid('spec.request', 'AQ8=', 'no'), 31), 'spec.request: Invalid value: []byte{0x1, 0xf}: no');
});

test('releases before 1.34 quote a value that is nil, and write names of resources without quotes', () => {
  assert.equal(told(invalid('spec.selector', undefined, 'no'), 33), 'spec.selector: Invalid value: "null": no');
  assert.equal(told(invalid('spec.selector', undefined, 'no'), 34), 'spec.selector: Invalid value: null: no');
  const hard = invalid('spec.hard[gpus]', 'gpus', 'must be a standard resource for quota');
  assert.equal(told(hard, 33), 'spec.hard[gpus]: Invalid value: gpus: must be a standard resource for quota');
  const amount = invalid('spec.hard[cpu]', '-1', 'must be greater than or equal to 0');
  assert.equal(told(amount, 33), 'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0');
});

test('releases before 1.34 report the pattern of host names for an invalid search domain', () => {
  const field = 'spec.dnsConfig.searches[0]';
  const ending = (minor: number) => told(invalid(field, 'a b', SEARCH_MESSAGE), minor).split('validation is ')[1];
  assert.equal(ending(33), "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  assert.equal(ending(34), "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')");
});

test('releases before 1.30 tell of addresses in shorter words, and of aliases without their places', () => {
  const address = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  const range = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  const alias = invalid('spec.hostAliases[1].ip', 'x', address);
  assert.equal(told(alias, 29), 'spec.hostAliases.ip: Invalid value: "x": must be valid IP address');
  assert.equal(told(alias, 30), `spec.hostAliases[1].ip: Invalid value: "x": ${address}`);
  const block = invalid('spec.ingress[0].from[0].ipBlock.cidr', 'x', range);
  assert.match(told(block, 29, { group: 'networking.k8s.io' }), /cidr: Invalid value: "x": not a valid CIDR$/);
  const ranges = invalid('spec.podCIDRs[0]', ['x'], range);
  assert.equal(told(ranges, 29), 'spec.podCIDRs[0]: Invalid value: []string{"x"}: must be valid CIDR');
});

test('releases before 1.34 write a time as Go does', () => {
  const time = invalid('eventTime', '2020-01-02T03:04:05.600000Z', 'field is immutable');
  assert.equal(told(time, 33), 'eventTime: Invalid value: 2020-01-02 03:04:05.6 +0000 UTC: field is immutable');
});

test('releases before 1.34 write values of custom objects without types', () => {
  const value = invalid('spec.a', { b: [1] }, 'no');
  assert.equal(
    told(value, 33, { custom: true }),
    'spec.a: Invalid value: map[string]interface {}{"b":[]interface {}{1}}: no',
  );
});

test('error texts that 1.34 changed are those of the earlier release before', () => {
  const rows: [error: FieldError, before: string, group?: string][] = [
    [invalid('metadata.ownerReferences[0].uid', '', 'must not be empty'), 'uid must not be empty'],
    [invalid('metadata.ownerReferences.kind', '', 'must not be empty'), 'kind must not be empty'],
    [invalid('spec.variables[0].name', '', 'must be a valid CEL identifier'), 'name is not a valid CEL identifier'],
    [required('spec.os.name'), 'cannot be empty'],
    [required('spec.parameters.kind'), 'kind is required', 'networking.k8s.io'],
    [required('webhooks[0].clientConfig.service.name'), 'service name is required'],
    [required('spec.versions[1].schema.openAPIV3Schema'), 'schemas are required'],
    [tooMany('spec.a', 2, 1), '2: must have at most 1 items'],
  ];
  for (const [error, before, group = ''] of rows) {
    const body = error.type === 'FieldValueInvalid' ? 'Invalid value: ""' : told(error, 34).split(': ')[1];
    assert.equal(told(error, 33, { group }), `${error.field}: ${body}: ${before}`);
    assert.equal(told(error, 34, { group }).endsWith(before), false, before);
  }
});

test('the error about the length of a text has other words before 1.32, and others in CRD schemas', () => {
  const long = tooLong('spec.controller', 250);
  assert.equal(told(long, 32), 'spec.controller: Too long: may not be more than 250 bytes');
  assert.equal(told(long, 31), 'spec.controller: Too long: must have at most 250 bytes');
  assert.equal(told(long, 31, { custom: true }), 'spec.controller: Too long: may not be longer than 250');
  assert.equal(told(tooLong('spec.managedBy', 63), 31), 'spec.managedBy: Too long: may not be longer than 63');
});

test('the field matchResources of a policy binding is misspelled before 1.32', () => {
  const error = required('spec.matchResources.resourceRules');
  const group = 'admissionregistration.k8s.io';
  assert.equal(told(error, 31, { group }), 'spec.matchResouces.resourceRules: Required value');
  assert.equal(told(error, 32, { group }), 'spec.matchResources.resourceRules: Required value');
});

test('a missing type of an embedded object must not be empty before 1.34', () => {
  const missing = { ...required('spec.a.kind'), origin: EMBEDDED_TYPE };
  assert.equal(told(missing, 33, { custom: true }), 'spec.a.kind: Required value: must not be empty');
  assert.equal(told(missing, 34, { custom: true }), 'spec.a.kind: Required value');
  assert.equal(told(required('spec.a.kind'), 33, { custom: true }), 'spec.a.kind: Required value');
});

test('errors about scopes and projected volumes have other words before 1.31', () => {
  const scope = invalid(
    'spec.scopeSelector',
    'In',
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating",
  );
  assert.match(told(scope, 30), /: must be 'Exist' when scope is any of ResourceQuotaScopeTerminating$/);
  assert.match(told(scope, 31), /: must be 'Exists' when scope is any of ResourceQuotaScopeTerminating$/);
  const many = fieldError.forbidden('spec.volumes[0].projected', 'may not specify more than 1 volume type per source');
  assert.match(told(many, 30), /may not specify more than 1 volume type$/);
  assert.match(told(many, 31), /may not specify more than 1 volume type per source$/);
});
