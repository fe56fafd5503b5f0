import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError } from '../api/errors.ts';
import { validateConditions } from '../resources/validation/conditions.ts';
import { inReleaseWords } from './release-errors.ts';

const labels = fieldError.invalid('metadata.labels', 'k', 'name part must be no more than 63 characters');
const inRelease = (minor: number, custom = false) =>
  inReleaseWords([labels, labels], { minor, custom, group: 'apps', kind: 'Deployment' });

test('the length of a label key is reported in characters before 1.35 and in bytes from then on', () => {
  assert.equal(inRelease(34)[0]?.detail, 'name part must be no more than 63 characters');
  assert.equal(inRelease(35)[0]?.detail, 'name part must be no more than 63 bytes');
});

test('the length of an object name is reported in characters in every release, except for two kinds', () => {
  const name = fieldError.invalid('metadata.name', 'n', 'must be no more than 253 characters');
  assert.equal(
    inReleaseWords([name], { minor: 37, custom: false, group: 'apps', kind: 'Deployment' })[0]?.detail,
    'must be no more than 253 characters',
  );
  const ofClass = (minor: number) =>
    inReleaseWords([name], { minor, custom: false, group: 'resource.k8s.io', kind: 'DeviceClass' })[0]?.detail;
  assert.deepEqual([ofClass(34), ofClass(35)], [name.detail, 'must be no more than 253 bytes']);
});

test('from 1.37 on an error of a built-in kind is reported once', () => {
  const content = fieldError.required('spec');
  const told = (minor: number, kind: string) =>
    inReleaseWords([labels, labels, content, content], { minor, custom: false, group: 'apps', kind }).length;
  assert.deepEqual([told(36, 'Deployment'), told(37, 'Deployment')], [4, 2]);
  assert.equal(inRelease(37, true).length, 2);
});

test('in 1.37 errors of definitions and APIServices are still repeated', () => {
  const told = (group: string) => inReleaseWords([labels, labels], { minor: 37, custom: false, group, kind: 'A' });
  assert.equal(told('apiextensions.k8s.io').length, 2);
  assert.equal(told('apiregistration.k8s.io').length, 2);
});

test('from 1.37 on what a condition lacks is reported once, and repeated types are those of whole conditions', () => {
  const found = validateConditions([{ type: '', status: '' }, { type: '' }], 'status.conditions');
  const told = (minor: number) =>
    inReleaseWords(found, { minor, custom: false, group: 'policy', kind: 'PodDisruptionBudget' }).map(
      ({ type, field, detail }) => `${type} ${field.replace('status.conditions', '')} ${detail}`.trimEnd(),
    );
  const others = (index: number) =>
    ['status', 'lastTransitionTime', 'reason'].map((member) => `FieldValueRequired [${index}].${member}`);
  assert.deepEqual(told(37), [
    'FieldValueRequired [0].type is required',
    ...others(0),
    'FieldValueDuplicate [1]',
    'FieldValueRequired [1].type is required',
    ...others(1),
  ]);
  assert.ok(told(36).includes('FieldValueDuplicate [1].type'));
  assert.ok(told(36).some((text) => text.startsWith('FieldValueNotSupported [0].status')));
});

test('items of a list of devices that has too many are not validated from 1.35 on', () => {
  const field = 'spec.devices.requests';
  const found = [
    fieldError.required(`${field}[3].name`),
    fieldError.tooMany(field, 33, 32),
    fieldError.required('spec'),
  ];
  const told = (minor: number) =>
    inReleaseWords(found, { minor, custom: false, group: 'resource.k8s.io', kind: 'ResourceClaim' }).map(
      (error) => error.field,
    );
  assert.deepEqual(told(34), [`${field}[3].name`, field, 'spec']);
  assert.deepEqual(told(35), [field, 'spec']);
});
