import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { CompiledPatterns } from '../../schema/structural/pattern.ts';
import { structuralErrors } from '../../schema/structural/structural-rules.ts';
import { startTestServer } from '../../testing.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(pattern: string): JsonObject {
  const text = { type: 'string', pattern };
  return {
    metadata: { name: 'texts.patterns.example' },
    spec: {
      group: 'patterns.example',
      scope: 'Namespaced',
      names: { plural: 'texts', kind: 'Text' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { text } } },
        },
      ],
    },
  };
}

const large = {
  'many alternatives': Array.from({ length: 100_000 }, (_, index) => `w${index}`).join('|'),
  repetitions: 'x{1000}'.repeat(11),
  'a long text': 'a'.repeat(100_000),
  'many classes': '\\pL'.repeat(10_000),
};

for (const [what, pattern] of Object.entries(large)) {
  test(`a CustomResourceDefinition whose pattern has ${what} is rejected before it is compiled`, async () => {
    await using server = await startTestServer();
    const { status, body } = await server.request('POST', DEFINITIONS, definition(pattern));
    assert.equal(status, 422);
    const { details } = body as { details: { causes: { field: string; message: string }[] } };
    const [cause] = details.causes;
    assert.equal(cause?.field, 'spec.validation.openAPIV3Schema.properties[text].pattern');
    const why = "must be a valid regular expression, but isn't: error parsing regexp: expression too large";
    assert.ok(cause.message.endsWith(why));
  });
}

test('usual patterns of a CustomResourceDefinition are not too large', () => {
  for (const pattern of [
    '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?){0,4}$',
    '^([a-z]{1,1000}/[a-z]{1,1000}@sha256:[0-9a-f]{64})?$',
    '^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.|$)){4}',
  ]) {
    assert.deepEqual(structuralErrors({ type: 'object', properties: { a: { type: 'string', pattern } } }, ''), []);
  }
});

test('a pattern that repeats too much is rejected with the message of Go', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '(a{1000}){11}' } } };
  assert.deepEqual(
    structuralErrors(schema, '').map(({ detail }) => detail),
    ["must be a valid regular expression, but isn't: error parsing regexp: invalid repeat count: `{11}`"],
  );
});

test('a stored schema keeps a pattern that is too large for a new one', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: 'a{1000}'.repeat(11) } } };
  assert.equal(structuralErrors(schema, '').length, 1);
  assert.deepEqual(structuralErrors(schema, '', { isOld: true }), []);
});

test('a pattern that several properties share is compiled once', () => {
  const compiled: string[] = [];
  const patterns = new CompiledPatterns((pattern) => {
    compiled.push(pattern);
    return { test: () => true };
  });
  const text = { type: 'string', pattern: '^a$' };
  const schema = { type: 'object', properties: { a: text, b: text, c: { ...text, pattern: '^c$' } } };
  assert.deepEqual(structuralErrors(schema, '', { patterns }), []);
  assert.deepEqual(compiled, ['^a$', '^c$']);
});
