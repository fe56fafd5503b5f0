import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer } from '../testing.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition = (openAPIV3Schema: object, subresources: object = {}) => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources }],
  },
});

type Refusal = { message: string; details: { causes: { field: string; message: string }[] } };

describe('invalid CustomResourceDefinitions', () => {
  test('invalid CustomResourceDefinitions with the wrong type at the root report it first if there is a status subresource', async () => {
    await using server = await startTestServer();
    const type = 'spec.validation.openAPIV3Schema.type';
    for (const [subresources, count] of [
      [{ status: {} }, 2],
      [{}, 1],
    ] as const) {
      const { body } = await server.request('POST', DEFINITIONS, definition({ type: 'string' }, subresources));
      const { causes } = (body as Refusal).details;
      assert.deepEqual(
        causes.map(({ field }) => field),
        Array(count).fill(type),
      );
    }
  });

  test('invalid CustomResourceDefinitions with preserveUnknownFields have no defaults anywhere in the schema', async () => {
    await using server = await startTestServer();
    const { metadata, spec } = definition({ type: 'object', properties: { a: { allOf: [{ default: 'x' }] } } });
    const keeping = { metadata, spec: { ...spec, preserveUnknownFields: true } };
    const { body } = await server.request('POST', `${DEFINITIONS}?dryRun=All`, keeping);
    const said = (body as Refusal).details.causes.filter(({ field }) => field === 'spec.preserveUnknownFields');
    assert.match(said[0]?.message ?? '', /must be false in order to use defaults in the schema/);
    assert.match(said[1]?.message ?? '', /cannot set to true/);
  });

  test('invalid CustomResourceDefinitions have selectable fields beside the schema: for all versions or for each', async () => {
    await using server = await startTestServer();
    const faultsOf = async (...stated: readonly (readonly [properties: string, selectable: string])[]) => {
      const { metadata, spec } = definition({ type: 'object' });
      const versions = stated.map(([names, selectable], index) => {
        const properties = Object.fromEntries([...names].map((name) => [name, { type: 'string' }]));
        const selectableFields = [...selectable].map((name) => ({ jsonPath: `.${name}` }));
        const openAPIV3Schema = { type: 'object', properties };
        const use = { served: true, storage: index === 0 };
        return { name: `v${index + 1}`, ...use, schema: { openAPIV3Schema }, selectableFields };
      });
      const given = { metadata, spec: { ...spec, versions } };
      const { body } = await server.request('POST', `${DEFINITIONS}?dryRun=All`, given);
      return (body as Partial<Refusal>).details?.causes.map(({ field, message }) => `${field}: ${message}`);
    };
    assert.equal(await faultsOf(['a', 'a'], ['a', 'a']), undefined);
    assert.equal(await faultsOf(['a', 'a'], ['b', 'b']), undefined);
    const why = 'Invalid value: "": may only be set when';
    assert.deepEqual(await faultsOf(['a', 'a'], ['a', '']), [
      `spec.versions[0].selectableFields: ${why} \`version.schema.openAPIV3Schema\` is not included`,
    ]);
    assert.deepEqual(await faultsOf(['a', 'a'], ['ab', 'a']), [
      `spec.selectableFields: ${why} validations.schema is included`,
    ]);
  });

  test('invalid CustomResourceDefinitions with a default at the root need apiVersion and kind in it', async () => {
    await using server = await startTestServer();
    const faultsOf = async (value: object) => {
      const schema = { type: 'object', properties: { a: { type: 'string' } }, default: value };
      const { body } = await server.request('POST', `${DEFINITIONS}?dryRun=All`, definition(schema));
      return ((body as Partial<Refusal>).details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
    };
    const field = 'spec.validation.openAPIV3Schema.default';
    assert.deepEqual(await faultsOf({ a: 'x' }), [
      `${field}.apiVersion: Required value`,
      `${field}.kind: Required value`,
    ]);
    assert.deepEqual(await faultsOf({ kind: 'Thing', apiVersion: 'example.com/v1', a: 'x' }), []);
    assert.deepEqual(await faultsOf({ kind: 'Thing', apiVersion: 'example.com/v1', b: 1 }), [
      `${field}: Invalid value: {"apiVersion":"example.com/v1","b":1,"kind":"Thing"}: must not have unknown fields`,
    ]);
  });

  test('invalid CustomResourceDefinitions report decoding errors within items without the names of properties', async () => {
    await using server = await startTestServer();
    const items = { type: 'array', items: { type: 'object', properties: { b: { maxLength: 'x' } } } };
    const { status, body } = await server.request(
      'POST',
      DEFINITIONS,
      definition({ type: 'object', properties: { a: items } }),
    );
    assert.equal(status, 400);
    assert.match(
      (body as Refusal).message,
      /string into Go struct field JSONSchemaProps\.spec\.versions\.schema\.openAPIV3Schema\.properties\.items of type int64$/,
    );
  });

  test('invalid CustomResourceDefinitions have unknown members of status ignored by an apply', async () => {
    await using server = await startTestServer();
    const applied = async (status: unknown) => {
      const body = definition({ type: 'object' }, { status });
      const request = new Request(`https://localhost${DEFINITIONS}/things.example.com?fieldManager=m&dryRun=All`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...body }),
      });
      return (await server.fetch(request)).status;
    };
    assert.deepEqual([await applied({ more: { x: 1 } }), await applied(1)], [201, 500]);
  });
});
