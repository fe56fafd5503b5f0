import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { migrateCommand } from './migrate.ts';

const OLD = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: c\n';
const NEW = OLD.replace('v1beta1', 'v1');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(argv: string[], input = ''): { status: number; out: string; err: string } {
  let [out, err] = ['', ''];
  const status = migrateCommand(argv, { out: (text) => (out += text), err: (text) => (err += text) }, () => input);
  return { status, out, err };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('keelson migrate rewrites files in place and reports changes', () => {
  const path = file('a.yaml', OLD);
  const { status, out } = run([folder]);
  assert.equal(status, 0);
  assert.equal(readFileSync(path, 'utf8'), NEW);
  assert.match(out, /a\.yaml:1: CronJob c: batch\/v1beta1 -> batch\/v1\n {2}deleting it deletes its jobs now/);
});

test('keelson migrate changes no file if one of them fails', () => {
  const path = file('a.yaml', OLD);
  file('b.yaml', 'apiVersion: batch/v1beta1\nkind: {{ .Values.kind }}\n');
  const { status, err } = run([folder]);
  assert.equal(status, 1);
  assert.match(err, /b\.yaml: line 2: this is a Helm template.*; no file was changed\n/);
  assert.equal(readFileSync(path, 'utf8'), OLD);
});

test('keelson migrate changes no file if one without an old version cannot be parsed', () => {
  const path = file('a.yaml', OLD);
  file('b.yaml', 'kind: a\n---\nkind: b\n c: d\n');
  const { status, err } = run([folder]);
  assert.equal(status, 1);
  assert.match(err, /b\.yaml: yaml: line 4: mapping values are not allowed in this context; no file was changed\n/);
  assert.equal(readFileSync(path, 'utf8'), OLD);
});

test('keelson migrate changes no file if one of them cannot be written', () => {
  const path = file('a.yaml', OLD);
  file('b.yaml', OLD);
  mkdirSync(join(folder, 'b.yaml.keelson-migrate'));
  const { status, err } = run([folder]);
  assert.equal(status, 1);
  assert.match(err, /open .*b\.yaml\.keelson-migrate: is a directory; no file was changed\n/);
  assert.equal(readFileSync(path, 'utf8'), OLD);
  assert.deepEqual(readdirSync(folder).sort(), ['a.yaml', 'b.yaml', 'b.yaml.keelson-migrate']);
});

test('keelson migrate rewrites the target of a symbolic link, and keeps the link', () => {
  const path = file('a.yaml', OLD);
  const link = join(folder, 'link');
  symlinkSync(path, link);
  assert.equal(run([link]).status, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(path, 'utf8'), NEW);
});

test('keelson migrate rejects a file that is larger than the limit of YAML', () => {
  file('a.yaml', `${OLD}# ${'x'.repeat(32 * 1024 * 1024)}\n`);
  const { status, err } = run([folder]);
  assert.equal(status, 1);
  assert.match(err, /a\.yaml: has 33554\d+ bytes of YAML, and no more than 33554432 are read/);
});

test('keelson migrate --check changes nothing, and fails if something would change', () => {
  const path = file('a.yaml', OLD);
  assert.equal(run(['--check', path]).status, 1);
  assert.equal(readFileSync(path, 'utf8'), OLD);
  assert.equal(run(['--check', file('b.yaml', NEW)]).status, 0);
  assert.equal(run(['--check', '--to', '1.24', path]).status, 0, 'v1.24 still serves it');
});

test('keelson migrate converts standard input to standard output', () => {
  assert.equal(run(['-'], OLD).out, NEW);
});

test('keelson migrate reports changes as JSON', () => {
  const path = file('a.yaml', OLD);
  const { changes } = JSON.parse(run(['--check', '--json', path]).out);
  assert.partialDeepStrictEqual(changes, [{ path, line: 1, kind: 'CronJob', from: 'batch/v1beta1', to: 'batch/v1' }]);
});

test('keelson migrate reports invalid arguments', () => {
  assert.match(run([]).err, /name a file, a folder or -/);
  assert.match(run(['--to=2.0', 'x']).err, /--to "2\.0" must be between 1\.16 and 1\.34/);
  assert.match(run(['--nope']).err, /unknown flag: --nope/);
  assert.match(run([join(folder, 'none.yaml')]).err, /no such file or directory/);
});
