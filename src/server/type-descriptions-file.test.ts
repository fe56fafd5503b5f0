import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { atOnce } from '../base/steps.ts';
import { describingTypes } from '../resources/openapi/type-descriptions.ts';
import { startTestServer } from '../testing.ts';
import { builtDescriptions, descriptionsText, FileDescriptions } from './type-descriptions-file.ts';

describe('the file of OpenAPI descriptions', () => {
  it('the file of OpenAPI descriptions has descriptions by the names of types', () => {
    const text = descriptionsText({
      version: 'test',
      types: {
        V1Thing: { text: 'A thing.', members: { default: 'Its default.' } },
        ShopV1Order: { text: "A shop's order.", members: {} },
        V1Order: { text: "Somebody else's order.", members: {} },
      },
    });
    const source = new FileDescriptions(text);
    assert.equal(source.version, 'test');
    assert.deepEqual(source.of('io.k8s.api.core.v1.Thing'), { text: 'A thing.', members: { default: 'Its default.' } });
    assert.equal(source.of('io.k8s.api.shop.v1.Order')?.text, "A shop's order.");
    assert.equal(source.of('io.k8s.api.core.v1.None'), undefined);
    assert.equal(source.of('com.example.shop.v1.Order'), undefined, 'a custom resource');
    assert.equal(source.of('io.k8s.networking.shop.v1.Order'), undefined, 'a custom resource');
  });

  it('the file of OpenAPI descriptions adds descriptions to OpenAPI documents, beside existing ones', () => {
    const schemas: Record<string, JsonObject> = {
      a: { properties: { x: {}, y: { description: 'Own.' } } },
      b: { description: 'Own.' },
    };
    const text = { text: 'Found.', members: { x: 'An x.', y: 'A y.', z: 'A z.' } };
    const steps = [...describingTypes(Object.entries(schemas), { version: '', of: () => text })];
    assert.equal(steps.length, 2, 'others may have their turn after each type');
    assert.deepEqual(schemas, {
      a: { description: 'Found.', properties: { x: { description: 'An x.' }, y: { description: 'Own.' } } },
      b: { description: 'Own.' },
    });
  });

  it('the file of OpenAPI descriptions says nothing of a reference that stands alone', () => {
    const reference = '#/components/schemas/b';
    const properties = { x: { $ref: reference }, y: { allOf: [{ $ref: reference }] } };
    const members = { x: 'An x.', y: 'A y.' };
    atOnce(describingTypes([['a', { properties }]], { version: '', of: () => ({ text: '', members }) }));
    assert.deepEqual(properties, {
      x: { $ref: reference },
      y: { allOf: [{ $ref: reference }], description: 'A y.' },
    });
  });

  it('the file of OpenAPI descriptions is part of the built package', async (context) => {
    if ((await builtDescriptions()) === undefined) return context.skip('dist/ has not been built');
    await using server = await startTestServer();
    const { body } = await server.request('GET', '/openapi/v3/apis/coordination.k8s.io/v1');
    const { schemas } = (body as { components: { schemas: Record<string, JsonObject> } }).components;
    const lease = schemas['io.k8s.api.coordination.v1.LeaseSpec'] as { description: string; properties: JsonObject };
    assert.ok(lease.description.length > 10);
    assert.ok((lease.properties.holderIdentity as { description: string }).description.length > 10);
  });
});
