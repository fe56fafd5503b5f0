import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../api/object.ts';
import { describeTypes } from '../resources/openapi/type-descriptions.ts';
import { startTestServer } from '../testing.ts';
import { ClientDescriptions, clientDescriptions } from './client-descriptions.ts';

/** A declaration as the client's generator writes it. */
function declaration(name: string, text: string, members: Record<string, string>): string {
  const fields = Object.entries(members).map(
    ([member, what]) => `    /**\n    * ${what}\n    */\n    '${member}'?: string;\n    'plain'?: string;\n`,
  );
  return `import { X } from './x.js';\n/**\n* ${text}\n*/\nexport declare class ${name} {\n${fields.join('')}}\n`;
}

describe('descriptions out of the JavaScript client', () => {
  it('are found by the names of types, and put the names of members right', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'models-'));
    try {
      const members = { _default: 'What it is else.', x_kubernetes_map_type: 'Says *_/ too.' };
      writeFileSync(join(folder, 'V1Thing.d.ts'), declaration('V1Thing', 'A thing.', members));
      writeFileSync(join(folder, 'ShopV1Order.d.ts'), declaration('ShopV1Order', "A shop's order.", {}));
      writeFileSync(join(folder, 'V1Order.d.ts'), declaration('V1Order', "Somebody else's order.", {}));
      const source = new ClientDescriptions(new URL(`${pathToFileURL(folder)}/`), 'test');
      const found = await source.of([
        'io.k8s.api.core.v1.Thing',
        'io.k8s.api.shop.v1.Order',
        'io.k8s.api.core.v1.None',
      ]);
      assert.deepEqual([...found.keys()], ['io.k8s.api.core.v1.Thing', 'io.k8s.api.shop.v1.Order']);
      const thing = found.get('io.k8s.api.core.v1.Thing');
      assert.equal(thing?.text, 'A thing.');
      assert.deepEqual(Object.fromEntries(thing?.members ?? []), {
        default: 'What it is else.',
        'x-kubernetes-map-type': 'Says */ too.',
      });
      assert.equal(found.get('io.k8s.api.shop.v1.Order')?.text, "A shop's order.");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('stand in documents, beside those that are there', async () => {
    const document: JsonObject = {
      components: { schemas: { a: { properties: { x: {}, y: { description: 'Own.' } } }, b: { description: 'Own.' } } },
    };
    const text = { text: 'Found.', members: new Map(Object.entries({ x: 'An x.', y: 'A y.', z: 'A z.' })) };
    await describeTypes(document, { version: '', of: async (names) => new Map(names.map((name) => [name, text])) });
    assert.deepEqual(document, {
      components: {
        schemas: {
          a: { description: 'Found.', properties: { x: { description: 'An x.' }, y: { description: 'Own.' } } },
          b: { description: 'Own.' },
        },
      },
    });
  });

  it('are served while the client is installed', async (context) => {
    if ((await clientDescriptions()) === undefined) return context.skip('the client is not installed');
    await using server = await startTestServer();
    const { body } = await server.request('GET', '/openapi/v3/apis/coordination.k8s.io/v1');
    const { schemas } = (body as { components: { schemas: Record<string, JsonObject> } }).components;
    const lease = schemas['io.k8s.api.coordination.v1.LeaseSpec'] as { description: string; properties: JsonObject };
    assert.ok(lease.description.length > 10);
    assert.ok((lease.properties.holderIdentity as { description: string }).description.length > 10);
  });
});
