import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldSelectorError, parseFieldSelector, unsupportedField } from './field-selector.ts';

const REFUSALS: [string, string][] = [
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['metadata.name in (a)', "invalid selector: 'metadata.name in (a)'; can't understand 'metadata.name in (a)'"],
  ['a>b', "invalid selector: 'a>b'; can't understand 'a>b'"],
  ['!metadata.name', "invalid selector: '!metadata.name'; can't understand '!metadata.name'"],
  ['b=1,a', "invalid selector: 'b=1,a'; can't understand 'a'"],
  ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
  ['metadata.name=\\', 'invalid field selector: invalid escape sequence: \\'],
  ['metadata.name=\\x', 'invalid field selector: invalid escape sequence: \\x'],
];

for (const [text, message] of REFUSALS) {
  test(`the field selector '${text}' is rejected`, () => {
    assert.throws(
      () => parseFieldSelector(text),
      (error) => error instanceof FieldSelectorError && error.message === message,
    );
  });
}

test('the requirements of a field selector are sorted', () => {
  const selector = parseFieldSelector('c!=d,,a=b,e==f,=g');
  assert.deepEqual(selector.requirements, [
    { field: '', value: 'g', negated: false },
    { field: 'a', value: 'b', negated: false },
    { field: 'c', value: 'd', negated: true },
    { field: 'e', value: 'f', negated: false },
  ]);
  assert.equal(String(selector), '=g,a=b,c!=d,e=f');
  assert.ok(!selector.empty);
  assert.ok(parseFieldSelector(',').empty);
});

test('a value in a field selector may have escaped commas, equals signs and backslashes', () => {
  const selector = parseFieldSelector('a=x\\,y\\=z\\\\,b=1');
  assert.deepEqual(selector.requirements[0], { field: 'a', value: 'x,y=z\\', negated: false });
  assert.equal(String(selector), 'a=x\\,y\\=z\\\\,b=1');
});

test('an object matches a field selector if all requirements hold', () => {
  const fields: Record<string, string> = { 'metadata.name': 'a', 'spec.nodeName': '' };
  const matches = (text: string) => parseFieldSelector(text).matches((field) => fields[field] ?? '');
  assert.ok(matches('metadata.name=a,spec.nodeName='));
  assert.ok(matches('metadata.name!=b'));
  assert.ok(!matches('metadata.name=a,metadata.name=b'));
  assert.ok(!matches('metadata.name!=a'));
});

test('a field selector for one name is recognized', () => {
  assert.equal(parseFieldSelector('spec.nodeName=n,metadata.name=a').exactValue('metadata.name'), 'a');
  assert.equal(parseFieldSelector('metadata.name!=a').exactValue('metadata.name'), undefined);
  assert.equal(parseFieldSelector('metadata.name=a,metadata.name=b').exactValue('metadata.name'), 'a');
});

test('a field that is not selectable is rejected in the words of the kind', () => {
  const kind = {
    group: 'resource.k8s.io',
    kind: 'ResourceSlice',
    versions: [{ version: 'v1' }, { version: 'v1beta2' }],
  };
  const refusal = (refusal: 'notSupported' | 'notSupportedByKind' | 'notSupportedForKind') =>
    unsupportedField({ ...kind, strategy: { selection: { refusal } } }, 'spec.pool.name');
  const plain = unsupportedField({ ...kind, strategy: {} }, 'spec.pool.name');
  assert.equal(plain, '"spec.pool.name" is not a known field selector: only "metadata.name", "metadata.namespace"');
  assert.equal(refusal('notSupported'), 'field label not supported: spec.pool.name');
  assert.equal(
    refusal('notSupportedByKind'),
    'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.pool.name',
  );
  assert.equal(refusal('notSupportedForKind'), 'field label "spec.pool.name" not supported for ResourceSlice');
});
