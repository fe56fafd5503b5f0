// Definitions of custom resources as the projects have them that most clusters run: applied by kubectl in both ways, used,
// upgraded, deleted.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { type Family, families } from './families.ts';
import { Kubectl, oldestAndNewest, withoutKubectl } from './kubectl.ts';

suite('CustomResourceDefinitions of well-known projects', { skip: withoutKubectl, timeout: 240_000 }, () => {
  let server: TestServer;
  let kubectl: Kubectl;
  before(async () => {
    server = await startTestServer({ listen: true });
    kubectl = await Kubectl.create(oldestAndNewest().at(-1)!.binary, server.kubeconfigText);
  });
  after(async () => {
    await kubectl?.[Symbol.asyncDispose]();
    await server?.close();
  });

  for (const family of families) {
    test(`the CustomResourceDefinitions of ${family.name} serve their objects to kubectl`, async () => {
      await define(kubectl, family);
      await use(kubectl, family);
      await upgrade(kubectl, family);
      await remove(kubectl, family);
    });
  }
});

/** What became of the objects, in their order: `created`, `unchanged` and so on. */
async function apply(kubectl: Kubectl, objects: readonly JsonObject[], ...flags: string[]): Promise<string[]> {
  const { stdout } = await kubectl.run(['apply', '--filename=-', ...flags], { input: manifest(objects) });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').at(-1)!);
}

function manifest(items: readonly JsonObject[]): string {
  // Within one list, kubectl checks objects itself, and the server gets no wrong one to see.
  return items.map((item) => `---\n${JSON.stringify(item)}\n`).join('');
}

function every(count: number, outcome: string): string[] {
  return Array.from({ length: count }, () => outcome);
}

async function define(kubectl: Kubectl, { definitions, tooLargeToApplyByClient }: Family): Promise<void> {
  const count = definitions.length;
  if (tooLargeToApplyByClient) {
    const { stderr } = await kubectl.run(['apply', '--filename=-'], { input: manifest(definitions), status: 1 });
    assert.match(stderr, /metadata\.annotations: Too long: may not be more than 262144 bytes/);
  } else {
    assert.deepEqual(await apply(kubectl, definitions), every(count, 'created'));
    assert.deepEqual(await apply(kubectl, definitions), every(count, 'unchanged'));
  }
  assert.deepEqual(
    await apply(kubectl, definitions, '--server-side', '--force-conflicts'),
    every(count, 'serverside-applied'),
  );
  for (const name of definitions.map(nameOf)) {
    await kubectl.run(['wait', '--for=condition=Established', `crd/${name}`, '--timeout=30s']);
  }
}

async function use(kubectl: Kubectl, { objects, defaulted, wrong, columns }: Family): Promise<void> {
  const [object] = objects as [JsonObject];
  assert.deepEqual(await apply(kubectl, objects), every(objects.length, 'created'));
  // Where defaults stand in lists kubectl sends a patch; it changes nothing.
  const version = await at(kubectl, object, '.metadata.resourceVersion');
  await apply(kubectl, objects);
  assert.equal(await at(kubectl, object, '.metadata.resourceVersion'), version);
  assert.deepEqual(await apply(kubectl, objects, '--server-side'), every(objects.length, 'serverside-applied'));
  const [path, value] = defaulted;
  assert.equal(await at(kubectl, object, path), value);

  const [faulty, said] = wrong;
  const refused = await kubectl.run(['apply', '--filename=-'], { input: manifest([faulty]), status: 1 });
  assert.match(refused.stderr, said);
  const misspelt = { ...object, spec: { ...(object['spec'] as JsonObject), misspelt: true } };
  const strict = await kubectl.run(['apply', '--filename=-'], { input: manifest([misspelt]), status: 1 });
  assert.match(strict.stderr, /unknown field "spec\.misspelt"/);

  const ready = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Done' }] } };
  const patch = `--patch=${JSON.stringify(ready)}`;
  await kubectl.run(['patch', placeOf(object), '--subresource=status', '--type=merge', patch]);
  await kubectl.run(['wait', placeOf(object), '--for=condition=Ready', '--timeout=30s']);
  assert.match(await kubectl.output('get', ...placeOf(object).split('/')), columns);
  assert.match(await kubectl.output('explain', `${(object['kind'] as string).toLowerCase()}.spec`), /FIELDS:/);
}

async function upgrade(kubectl: Kubectl, { definitions, upgraded, objects, defaulted }: Family): Promise<void> {
  const [object] = objects as [JsonObject];
  assert.deepEqual(
    await apply(kubectl, upgraded, '--server-side', '--force-conflicts'),
    every(definitions.length, 'serverside-applied'),
  );
  await kubectl.run(['wait', placeOf(object), '--for=jsonpath={.spec.added}=later', '--timeout=30s']);
  assert.equal(await at(kubectl, object, defaulted[0]), defaulted[1]);
  const patch = '--patch={"spec":{"added":"now"}}';
  await kubectl.run(['patch', placeOf(object), '--type=merge', patch]);
  assert.equal(await at(kubectl, object, '.spec.added'), 'now');
}

async function remove(kubectl: Kubectl, { definitions, objects }: Family): Promise<void> {
  const [object] = objects as [JsonObject];
  await kubectl.run(['delete', 'crd', ...definitions.map(nameOf), '--timeout=30s']);
  const { stderr } = await kubectl.run(['get', ...placeOf(object).split('/')], { status: 1 });
  assert.match(stderr, /the server doesn't have a resource type|could not find the requested resource/);
}

function at(kubectl: Kubectl, object: JsonObject, path: string): Promise<string> {
  return kubectl.output('get', placeOf(object), `--output=jsonpath={${path}}`);
}

function nameOf(object: JsonObject): string {
  return (object['metadata'] as { name: string }).name;
}

/** `kind.group/name`, as kubectl takes it. */
function placeOf(object: JsonObject): string {
  const [group] = (object['apiVersion'] as string).split('/');
  return `${(object['kind'] as string).toLowerCase()}.${group}/${nameOf(object)}`;
}
