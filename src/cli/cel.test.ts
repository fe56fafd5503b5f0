import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-cel-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const schema = file(
  'schema.yaml',
  'type: object\nproperties:\n  count: { type: integer }\n  s: { type: string, maxLength: 10 }\n',
);
const object = file('object.yaml', 'count: 3\ns: abc\n');

async function run(...argv: string[]): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const status = await main(['cel', ...argv], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    onStopSignal: () => {},
    onFault: () => {},
    exit: () => {},
  });
  return { status, out, err };
}

test('keelson cel checks, estimates and evaluates an expression', async () => {
  const { status, out } = await run('--schema', schema, '--object', object, "self.count > 2 && self.s.startsWith('a')");
  assert.equal(status, 0);
  assert.match(out, /^value {5}true$/m);
  assert.match(out, /^type {6}bool$/m);
  assert.match(out, /^cost {6}\d+ of 1000000$/m);
  assert.match(out, /^estimate {2}at most \d+ of 10000000$/m);
});

test('keelson cel --json prints JSON', async () => {
  const { out } = await run('--json', '--schema', schema, '--object', object, '[self.count, self.count + 1]');
  const { value, type } = JSON.parse(out);
  assert.deepEqual({ value, type }, { value: [3, 4], type: 'list(int)' });
});

test('keelson cel without an object only checks the expression', async () => {
  const { status, out } = await run('--schema', schema, 'self.count');
  assert.equal(status, 0);
  assert.doesNotMatch(out, /value|cost /);
});

test('keelson cel fails for an expression that does not compile or has no value', async () => {
  const wrong = await run('--schema', schema, "self.count + 'a'");
  assert.equal(wrong.status, 1);
  assert.match(wrong.out, /found no matching overload for '_\+_' applied to '\(int, string\)'/);
  const failing = await run('--object', object, 'self.missing');
  assert.equal(failing.status, 1);
  assert.match(failing.out, /^error {5}no such key: missing$/m);
});

test('keelson cel takes the schema of a CustomResourceDefinition from its storage version', async () => {
  const definition = file(
    'definition.yaml',
    'kind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    storage: false\n' +
      '  - name: v2\n    storage: true\n    schema: { openAPIV3Schema: { type: object, properties: { count: { type: integer } } } }\n',
  );
  assert.match((await run('--schema', definition, 'self.count')).out, /type {6}int/);
});

test('keelson cel reports invalid arguments in one line', async () => {
  for (const argv of [[], ['a', 'b'], ['--nonsense', 'a']]) {
    const { status, err } = await run(...argv);
    assert.equal(status, 2);
    assert.match(err, /^keelson: [^\n]+; see 'keelson cel --help'\n$/);
  }
  const missing = join(folder, 'missing');
  assert.deepEqual(await run('--schema', missing, 'a'), {
    ...{ status: 1, out: '' },
    err: `keelson: open ${missing}: no such file or directory\n`,
  });
  assert.match((await run('--scheme=x', 'a')).err, /unknown flag: --scheme \(did you mean --schema\?\)/);
});

test('keelson cel --kubernetes-version evaluates with the library of the release', async () => {
  const membership = ['--object', object, 'self.`count` in [3]'];
  assert.equal((await run(...membership)).status, 1);
  assert.match((await run('--kubernetes-version=1.37', ...membership)).out, /^value {5}true$/m);
  const semver = "semver('1.2.3').major()";
  assert.match((await run('--kubernetes-version', '1.33', semver)).out, /undeclared reference to 'semver'/);
  assert.equal((await run('--kubernetes-version', '1.34', semver)).status, 0);
  assert.equal((await run('--kubernetes-version', '1.33', '--stored', semver)).status, 0);
});

test('keelson cel reports an unknown release with the known ones', async () => {
  const { status, err } = await run('--kubernetes-version=1.99', '1');
  assert.equal(status, 1);
  assert.match(err, /^keelson: --kubernetes-version: "1\.99" is not a known release; known are 1\.24\.17, [^\n]+\n$/);
});
