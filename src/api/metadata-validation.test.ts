import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldError, fieldErrorBody } from './errors.ts';
import { validateFieldManager, validateObjectMeta, validateObjectMetaUpdate } from './metadata-validation.ts';
import type { ObjectMeta } from './object.ts';

const RULES = { namespaced: true, nameRule: 'subdomain', path: 'metadata' } as const;
const GOOD: ObjectMeta = { name: 'a', namespace: 'default', resourceVersion: '5', uid: 'u', generation: 2 };

/** The beginnings of messages, for most are long. */
function texts(found: readonly FieldError[]): string[] {
  return found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
}

function assertBegin(found: readonly string[], beginnings: readonly string[]): void {
  assert.equal(found.length, beginnings.length, found.join('\n'));
  for (const [index, text] of found.entries()) assert.ok(text.startsWith(beginnings[index] as string), text);
}

function created(meta: object, rules: object = {}): string[] {
  return texts(validateObjectMeta({ ...GOOD, ...meta }, { ...RULES, ...rules }));
}

function updated(next: object, previous: object = {}): string[] {
  return texts(validateObjectMetaUpdate({ ...GOOD, ...next }, { ...GOOD, ...previous }));
}

test('valid metadata has no errors', () => {
  const meta = {
    labels: { '1': '2', a: '', 'example.com/B_c.d-e': 'F_g.h-i' },
    annotations: { 'EXAMPLE.com/Key': 'any value !' },
    finalizers: ['example.com/one', 'example.com/one', 'orphan'],
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'o', uid: 'u', controller: true }],
    managedFields: [{ manager: 'me', operation: 'Apply', fieldsType: 'FieldsV1' }],
  };
  assert.deepEqual(created(meta), []);
  assert.deepEqual(updated(meta), []);
  assert.deepEqual(created({ namespace: undefined }, { namespaced: false }), []);
});

const CREATIONS: [string, object, string[]][] = [
  ['a name is required', { name: '' }, ['metadata.name: Required value: name or generateName is required']],
  [
    'a name must be valid for the kind',
    { name: 'a%b' },
    ['metadata.name: Invalid value: "a%b": a lowercase RFC 1123 subdomain must'],
  ],
  [
    'an invalid generateName is rejected even with a name',
    { generateName: 'Run_' },
    ['metadata.generateName: Invalid value: "Run_": a lowercase RFC 1123 subdomain must'],
  ],
  ['a namespace is required', { namespace: '' }, ['metadata.namespace: Required value']],
  [
    'a namespace must be a DNS label',
    { namespace: 'a.b' },
    ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
  ],
  [
    'a generation must not be negative',
    { generation: -1 },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'labels are validated by key',
    { labels: { 'b c': 'd', '/a': '-b' } },
    [
      'metadata.labels: Invalid value: "/a": prefix part must be non-empty',
      'metadata.labels: Invalid value: "-b": a valid label must be',
      'metadata.labels: Invalid value: "b c": name part must consist',
    ],
  ],
  [
    'the total length of annotations is limited',
    { annotations: { a: 'x'.repeat(262_144) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  ['annotations up to the limit are accepted', { annotations: { a: 'x'.repeat(262_143) } }, []],
  [
    'a finalizer must have a domain',
    { finalizers: ['plain'] },
    ['metadata.finalizers[0]: Invalid value: "plain": name is neither a standard'],
  ],
  [
    'a finalizer must be a qualified name',
    { finalizers: [''] },
    [
      'metadata.finalizers: Invalid value: "": name part must be non-empty',
      'metadata.finalizers: Invalid value: "": name part must consist',
      'metadata.finalizers[0]: Invalid value: "": name is neither',
    ],
  ],
  [
    'the finalizers orphan and foregroundDeletion exclude each other',
    { finalizers: ['orphan', 'foregroundDeletion'] },
    [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    'an owner reference needs all its fields',
    { ownerReferences: [{}] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ],
  [
    'an owner reference needs a valid apiVersion',
    { ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Pod', name: 'a', uid: 'a' }] },
    ['metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty'],
  ],
  [
    'an Event cannot be an owner',
    { ownerReferences: [{ uid: 'u', name: 'o', kind: 'Event', apiVersion: 'v1' }] },
    [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    'a single owner reference may be the controller',
    {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a', controller: true },
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: 'b', controller: true },
      ],
    },
    [
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"a","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"b","uid":"b","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/a and ConfigMap/b',
    ],
  ],
  [
    'entries of managedFields are validated',
    {
      managedFields: [
        { operation: 'Patch', fieldsType: 'FieldsV2', manager: 'm'.repeat(129), subresource: 's'.repeat(257) },
      ],
    },
    [
      'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
  [
    'errors in metadata have the order of the fields',
    { name: 'A', namespace: 'B', labels: { '/': '' }, finalizers: ['x'] },
    [
      'metadata.name:',
      'metadata.namespace:',
      'metadata.labels:',
      'metadata.labels:',
      'metadata.labels:',
      'metadata.finalizers[0]:',
    ],
  ],
];

for (const [title, meta, expected] of CREATIONS) {
  test(title, () => {
    const found = created(meta);
    assertBegin(found, expected);
  });
}

test('a namespace is rejected for a cluster-scoped resource', () => {
  assert.deepEqual(created({}, { namespaced: false }), ['metadata.namespace: Forbidden: not allowed on this type']);
});

test('custom resources may have finalizers without a domain', () => {
  assert.deepEqual(created({ finalizers: ['plain'] }, { anyFinalizer: true }), []);
});

const UPDATES: [string, object, object, string[]][] = [
  [
    'an update needs a resourceVersion',
    { resourceVersion: undefined },
    {},
    ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ],
  [
    'the generation must not decrease',
    { generation: 1 },
    {},
    ['metadata.generation: Invalid value: 1: must not be decremented'],
  ],
  ['the name is immutable', { name: 'b' }, {}, ['metadata.name: Invalid value: "b": field is immutable']],
  [
    'the namespace is immutable',
    { namespace: 'b' },
    {},
    ['metadata.namespace: Invalid value: "b": field is immutable'],
  ],
  ['the UID is immutable', { uid: 'v' }, {}, ['metadata.uid: Invalid value: "v": field is immutable']],
  [
    'creationTimestamp and deletionTimestamp are immutable',
    {
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2002-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
    },
    {},
    [
      'metadata.creationTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
      'metadata.deletionTimestamp: Invalid value: "2002-01-01T00:00:00Z": field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
    ],
  ],
  [
    'deletionTimestamp cannot be removed',
    {},
    { deletionTimestamp: '2002-01-01T00:00:00Z' },
    ['metadata.deletionTimestamp: Invalid value: null: field is immutable'],
  ],
  ['an object that is not being deleted may get new finalizers', { finalizers: ['a/b'] }, {}, []],
  [
    'labels are validated on update',
    { labels: { a: '-' } },
    {},
    ['metadata.labels: Invalid value: "-": a valid label'],
  ],
];

for (const [title, next, previous, expected] of UPDATES) {
  test(title, () => {
    const found = updated(next, previous);
    assertBegin(found, expected);
  });
}

test('an object that is being deleted gets no new finalizers, but may lose and reorder those that it has', () => {
  const dying = { deletionTimestamp: '2002-01-01T00:00:00Z', finalizers: ['example.com/a', 'example.com/b'] };
  assert.deepEqual(updated({ ...dying, finalizers: ['example.com/b', 'example.com/a'] }, dying), []);
  assert.deepEqual(updated({ ...dying, finalizers: [] }, dying), []);
  assert.deepEqual(updated({ ...dying, finalizers: ['example.com/d', 'example.com/c'] }, dying), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c", "example.com/d"}',
  ]);
});

test('a field manager name is printable', () => {
  const found = (manager: string) => texts(validateFieldManager(manager, 'fieldManager'));
  assert.deepEqual(found('kubectl-apply (v1) grün 你'), []);
  assert.deepEqual(found('tab\there'), [
    'fieldManager: Invalid value: "tab\\there": invalid character U+0009 (at position 3)',
  ]);
  assert.deepEqual(found('ü\n'), ['fieldManager: Invalid value: "ü\\n": invalid character U+000A (at position 2)']);
  assert.deepEqual(found('m'.repeat(129)), ['fieldManager: Too long: may not be more than 128 bytes']);
});
