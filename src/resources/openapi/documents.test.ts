import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { atOnce, inOneStep } from '../../base/steps.ts';
import { emulationOf, RELEASES } from '../../lifecycle/version.ts';
import { Catalog, createCatalog } from '../catalog.ts';
import { group } from '../resource.ts';
import { type LongMember, openapiV2Entries, openapiV2Frame } from './document-v2.ts';
import { openapiV3 } from './document-v3.ts';
import { type OpenApiDocument, openapiDocuments, publishedFacts } from './documents.ts';
import { sortedByName } from './rendering.ts';

type Value = { [name: string]: Value } & Value[];

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

const published = { version: '1.34', enums: true, minor: 34 };

const everything = openapiDocuments(createCatalog({ runtimeConfig: { 'api/all': 'true' } }));

function v3(key: string): Value {
  const found = everything.find((document) => document.key === key);
  assert.ok(found, key);
  return json(atOnce(openapiV3(found, published)));
}

/** As clients get it; nothing in a document may be left out by the way. */
function json(document: unknown): Value {
  const read = JSON.parse(JSON.stringify(document));
  assert.deepEqual(read, document);
  return read as Value;
}

/** The version 2 document of all these. */
function v2(documents: readonly OpenApiDocument[]): Value {
  const entries = (['the server', 'custom resources'] as const).flatMap((of) => {
    const described = documents.filter(({ custom }) => custom === (of === 'custom resources'));
    return [...openapiV2Entries(described, { of, enums: true, minor: 34 })].filter((entry) => entry !== undefined);
  });
  const sorted = (of: LongMember) =>
    sortedByName(entries.filter(({ member }) => member === of).map(({ name, value }) => [name, value] as const));
  return json({ ...openapiV2Frame(published), paths: sorted('paths'), definitions: sorted('definitions') });
}

const whole = v2(everything);

/** Everything that a valid document keeps to and that the schemas of types do not show by themselves. */
function faults(document: Value): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  for (const reference of references(document)) {
    if (resolve(document, reference) === undefined) found.push(`${reference} leads nowhere`);
  }
  for (const [path, item] of Object.entries(document['paths'] as Value)) {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();
    for (const method of METHODS) {
      const operation = item[method] as Value | undefined;
      if (operation === undefined) continue;
      const id = String(operation['operationId']);
      if (ids.has(id)) found.push(`${id} twice`);
      ids.add(id);
      found.push(...parameterFaults([...list(item['parameters']), ...list(operation['parameters'])], id));
      const declared = [...list(item['parameters']), ...list(operation['parameters'])]
        .map((each) => resolve(document, String(each['$ref'] ?? '')) ?? each)
        .filter((each) => each['in'] === ('path' as never))
        .map((each) => String(each['name']));
      if (declared.sort().join() !== placeholders.join()) found.push(`${id} declares ${declared} of ${placeholders}`);
      if (Object.keys(operation['responses'] as Value).length === 0) found.push(`${id} has no response`);
    }
  }
  return found;
}

function parameterFaults(parameters: Value[], id: string): string[] {
  const names = parameters.map((each) => each['$ref'] ?? `${each['in']} ${each['name']}`);
  return names.filter((name, index) => names.indexOf(name) < index).map((name) => `${id} has ${name} twice`);
}

function list(value: Value | undefined): Value[] {
  return value ?? [];
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* references(member);
  }
}

function resolve(document: Value, reference: string): Value | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Value | undefined = document;
  for (const part of reference.slice(2).split('/')) value = value?.[part];
  return value;
}

describe('OpenAPI documents', () => {
  test('OpenAPI documents exist for each group version, for each group and for the server', () => {
    const keys = openapiDocuments(createCatalog()).map((document) => document.key);
    for (const key of ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version']) assert.ok(keys.includes(key));
    assert.ok(!keys.includes('apis/storage.k8s.io/v1beta1'));
    assert.deepEqual(keys, [...keys].sort());
  });

  test('OpenAPI documents of version 3 refer to nothing outside of themselves', () => {
    for (const { key } of everything) assert.deepEqual(faults(v3(key)), [], key);
  });

  test('OpenAPI documents of version 2 hold all paths and refer to nothing outside', () => {
    assert.deepEqual(faults(whole), []);
    const paths = everything.flatMap((document) => [...document.describe()].map(({ path }) => path));
    assert.deepEqual(Object.keys(whole['paths'] as Value), [...new Set(paths)].sort());
  });

  test('OpenAPI documents have the same operations in both versions', () => {
    const item = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';
    const three = v3('apis/apps/v1')['paths']?.[item] as Value;
    const two = whole['paths']?.[item] as Value;
    for (const method of ['get', 'put', 'patch', 'delete']) {
      for (const member of ['operationId', 'tags', 'x-kubernetes-action', 'x-kubernetes-group-version-kind']) {
        assert.deepEqual(two[method]?.[member], three[method]?.[member], `${method} ${member}`);
      }
    }
  });

  test('OpenAPI documents have dryRun and fieldValidation without a reference in version 2, for older clients', () => {
    const patch = whole['paths']?.['/api/v1/namespaces/{namespace}/pods/{name}']?.['patch'];
    const named = list(patch?.['parameters']).map((each) => String(each['name'] ?? each['$ref']));
    assert.deepEqual(named.slice(0, 4), ['body', 'dryRun', '#/parameters/fieldManager', 'fieldValidation']);
  });

  test('OpenAPI documents name the media types that a request accepts and those that the response has', () => {
    const operations = v3('apis/apps/v1')['paths']?.['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
    const put = operations?.['put'];
    const schema = { $ref: '#/components/schemas/io.k8s.api.apps.v1.Deployment' };
    assert.deepEqual(put?.['requestBody'], { content: { '*/*': { schema } }, required: true });
    assert.deepEqual(put?.['responses']?.['201'], {
      description: 'Created',
      content: {
        'application/json': { schema },
        'application/yaml': { schema },
        'application/vnd.kubernetes.protobuf': { schema },
      },
    });
    assert.deepEqual(put?.['responses']?.['401'], { description: 'Unauthorized' });
    assert.equal(operations?.['delete']?.['requestBody']?.['required'], undefined);
  });

  test('OpenAPI documents give a deletion the response Status, and for some kinds the object', () => {
    const answerOf = (path: string) => {
      const deletion = whole['paths']?.[`/api/v1/${path}/{name}`]?.['delete'];
      const answered = deletion?.['responses']?.['200']?.['schema']?.['$ref'];
      return String(answered).split('.').at(-1);
    };
    assert.equal(answerOf('namespaces/{namespace}/configmaps'), 'Status');
    assert.equal(answerOf('namespaces/{namespace}/serviceaccounts'), 'ServiceAccount');
    assert.equal(answerOf('namespaces'), 'Status');
  });
});

describe('OpenAPI of custom resources', () => {
  const custom = customCatalog();
  const documents = openapiDocuments(custom);

  test('OpenAPI of custom resources has a document for the version and none for the group', () => {
    assert.deepEqual(
      documents.map((document) => document.key),
      ['.well-known/openid-configuration', 'api', 'apis', 'apis/example.com/v1', 'openid/v1/jwks', 'version'],
    );
  });

  test('OpenAPI of custom resources has a complete document with type names in the reverse order of the group', () => {
    const document = json(
      atOnce(openapiV3(documents.find(({ key }) => key === 'apis/example.com/v1') as never, published)),
    );
    assert.deepEqual(faults(document), []);
    const schemas = document['components']?.['schemas'] as Value;
    assert.deepEqual(Object.keys(schemas).slice(0, 2), ['com.example.v1.Widget', 'com.example.v1.WidgetList']);
    assert.deepEqual(document['info'], { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
    assert.equal(document['paths']?.['/apis/example.com/v1/watch/widgets'], undefined);
    const options = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions']!;
    const groups = (options['x-kubernetes-group-version-kind'] as unknown as { group: string }[]).map(
      ({ group }) => group,
    );
    assert.deepEqual(
      [groups.length, groups.includes('apps'), groups.includes('apiextensions.k8s.io')],
      [55, true, false],
    );
  });

  test('OpenAPI of custom resources has the documents of OpenID as text without a request type', () => {
    const get = v2(documents)['paths']?.['/openid/v1/jwks/']?.['get'];
    assert.deepEqual(get?.['produces'], ['application/jwk-set+json']);
    assert.equal(get?.['consumes'], undefined);
    assert.deepEqual(get?.['responses']?.['200'], { description: 'OK', schema: { type: 'string' } });
  });

  test('OpenAPI of custom resources is part of the version 2 document, too', () => {
    const document = v2(documents);
    assert.deepEqual(faults(document), []);
    const item = document['paths']?.['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}'];
    assert.deepEqual(item?.['patch']?.['consumes'], [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
    assert.equal(item?.['get']?.['operationId'], 'readExampleComV1NamespacedWidget');
  });

  test('OpenAPI of custom resources changes with the schema of the resource', () => {
    const facts = (type: string) => {
      const entry = customCatalog(type).lookup('example.com', 'v1', 'widgets');
      return JSON.stringify(publishedFacts(entry as never));
    };
    assert.equal(facts('string'), facts('string'));
    assert.notEqual(facts('string'), facts('integer'));
  });

  test('OpenAPI of custom resources is compared by the tag of a schema without reading the schema', () => {
    const facts = (tag: string) => {
      const { definition, version } = customCatalog().lookup('example.com', 'v1', 'widgets')!;
      const tagged = { ...version, openapiTag: tag, openapiSchema: () => assert.fail('the schema was read') };
      return JSON.stringify(publishedFacts({ definition, version: tagged }));
    };
    assert.equal(facts('one'), facts('one'));
    assert.notEqual(facts('one'), facts('two'));
  });
});

function customCatalog(type = 'string'): Catalog {
  const declared = group('apps', 'v1')({ resource: 'deployments', kind: 'Deployment' });
  const openapiSchema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type } } } } };
  const catalog = new Catalog();
  catalog.add({
    ...declared,
    group: 'example.com',
    resource: 'widgets',
    kind: 'Widget',
    listKind: 'WidgetList',
    custom: true,
    versions: declared.versions.map((version) => ({
      ...version,
      openapiTag: type,
      openapiSchema: () => inOneStep(openapiSchema),
    })),
  });
  return catalog;
}

test('OpenAPI of an ephemeral container requires what a container requires where both have a field', () => {
  const definitions = whole['definitions'] as Record<string, Value>;
  const facts = (name: string) => {
    const type = definitions[`io.k8s.api.core.v1.${name}`] as Value;
    const values = (field: string) => ((type['properties'] as Value)[field] as Value)['enum'];
    return [type['required'], values('imagePullPolicy'), values('terminationMessagePolicy')];
  };
  assert.deepEqual(facts('EphemeralContainer'), facts('Container'));
  assert.deepEqual(facts('EphemeralContainer')[0], ['name']);
});

describe('the OpenAPI documents of a release of Kubernetes', () => {
  function documentIn(minor: number, key: string): Value {
    const binary = RELEASES.find((each) => each.minor === minor)!;
    const documents = openapiDocuments(createCatalog({ emulation: emulationOf(minor, binary) }));
    const document = documents.find((each) => each.key === key) as OpenApiDocument;
    return json(atOnce(openapiV3(document, { version: `1.${minor}`, enums: true, minor })));
  }
  const schemaIn = (minor: number, key: string, name: string) =>
    documentIn(minor, key)['components']?.['schemas']?.[`io.k8s.${name}`] as Value;

  test('the OpenAPI documents of a release of Kubernetes list in 1.35 every group version that has delete options, from 1.36 on that of the document', () => {
    const kindsIn = (minor: number) =>
      schemaIn(minor, 'apis/apps/v1', 'apimachinery.pkg.apis.meta.v1.DeleteOptions')['x-kubernetes-group-version-kind'];
    const old = { group: 'coordination.k8s.io', kind: 'DeleteOptions', version: 'v1alpha1' };
    assert.ok(kindsIn(31)?.some((each) => isDeepStrictEqual(each, old)));
    assert.equal(kindsIn(35)?.length, 62);
    assert.deepEqual(kindsIn(36), [
      { group: '', kind: 'DeleteOptions', version: 'v1' },
      { group: 'apps', kind: 'DeleteOptions', version: 'v1' },
    ]);
  });

  test('the OpenAPI documents of a release of Kubernetes have shard selectors of lists from 1.36 on', () => {
    const namesIn = (minor: number) =>
      documentIn(minor, 'apis/apps/v1')['paths']?.['/apis/apps/v1/deployments']?.['parameters']?.map(
        (each) => each['name'],
      );
    assert.ok(!namesIn(35)?.includes('shardSelector' as never));
    assert.ok(namesIn(36)?.includes('shardSelector' as never));
  });

  test('the OpenAPI documents of a release of Kubernetes publish no defaults of items and of values of maps from 1.37 on', () => {
    const valuesIn = (minor: number) =>
      schemaIn(minor, 'api/v1', 'api.core.v1.ConfigMap')['properties']?.['data']?.['additionalProperties'];
    assert.deepEqual(valuesIn(36), { type: 'string', default: '' });
    assert.deepEqual(valuesIn(37), { type: 'string' });
  });
});
