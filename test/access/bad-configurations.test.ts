// Configurations that cannot be used end the start with status 1 and one line, which is kube-apiserver's: its texts are in
// the fixture. Where kube-apiserver is built here, REFERENCE=1 asks it again whether the fixture is right.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseServeFlags } from '../../src/cli/flags.ts';
import { main } from '../../src/cli/main.ts';
import type { BadConfiguration } from './bad-configuration.ts';
import { BAD_CONFIGURATIONS } from './bad-configurations.ts';

const expected = JSON.parse(
  readFileSync(new URL('../fixtures/bad-configurations.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const reference = join(homedir(), '.cache/keelson-reference/bin/kube-apiserver');

let folder = '';
let own: readonly string[] = [];

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-bad-'));
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keys = mkdtempSync(join(tmpdir(), 'keelson-keys-'));
  writeFileSync(join(keys, 'sa.pub'), publicKey);
  writeFileSync(join(keys, 'sa.key'), privateKey);
  own = [
    '--bind-address=127.0.0.1',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys}/sa.pub`,
    `--service-account-signing-key-file=${keys}/sa.key`,
    '--service-cluster-ip-range=10.0.0.0/24',
    `--cert-dir=${keys}`,
  ];
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** The configuration's files written, and its flags behind those that every server has. */
function commandLine({ files = {}, flags }: BadConfiguration, usual: readonly string[]): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const placed = (text: string) => text.replaceAll('FOLDER', folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), placed(text));
  const named = new Set(flags.map((flag) => flag.split('=')[0]));
  return [...[...own, ...usual].filter((flag) => !named.has(flag.split('=')[0])), ...flags.map(placed)];
}

/** The line without what says who speaks. */
function faultIn(line: string): string {
  return line
    .trim()
    .replace(/^(keelson|Error): /, '')
    .replace(/; (?:'keelson serve --help' lists the flags|see --[\w-]+)$/, '')
    .replaceAll(folder, 'FOLDER');
}

test('each invalid configuration has an expected message, and each message its configuration', () => {
  assert.deepEqual(BAD_CONFIGURATIONS.map(({ name }) => name).sort(), Object.keys(expected).sort());
});

for (const bad of BAD_CONFIGURATIONS) {
  test(`an invalid configuration is rejected with its message: ${bad.name}`, async () => {
    let said = '';
    let stop = () => {};
    const argv = commandLine(bad, ['--store=memory', '--secure-port=0']);
    const status = await main(['serve', ...argv], {
      env: {},
      out: () => stop(),
      err: (text) => (said += text),
      onStopSignal: (end) => (stop = end),
      onFault: () => {},
      exit: (code) => assert.fail(`it exits by itself: ${code}`),
    });
    const lines = said.split('\n').filter((line) => line.startsWith('keelson: ') && !/^keelson: Flag /.test(line));
    // Flags that are wrong by themselves are told before anything is started.
    const isUsage = 'error' in parseServeFlags(argv);
    assert.deepEqual([status, ...lines.map(faultIn)], [isUsage ? 2 : 1, expected[bad.name]]);
  });
}

const unasked = !existsSync(reference) ? 'kube-apiserver is not built here' : process.env['REFERENCE'] === undefined;
test('kube-apiserver rejects each configuration with the same message', { skip: unasked }, async () => {
  for (const bad of BAD_CONFIGURATIONS) {
    const { code, said } = await referenceFault(commandLine(bad, ['--etcd-servers=http://127.0.0.1:1']));
    assert.deepEqual([code, faultIn(said)], [1, expected[bad.name]], bad.name);
  }
});

function referenceFault(argv: readonly string[]): Promise<{ code: unknown; said: string }> {
  return new Promise((resolve) => {
    execFile(reference, argv, { maxBuffer: 1 << 24 }, (error, _out, log) =>
      resolve({ code: error?.code, said: lastFault(log) }),
    );
  });
}

/** What follows `err=` is quoted, or stands in lines of its own. */
function lastFault(log: string): string {
  const lines = log.split('\n');
  const failed = lines.find((line) => line.includes('"command failed"'));
  if (failed === undefined) return lines.find((line) => line.startsWith('Error: ')) ?? '';
  const text = failed.replace(/^.*? err=/, '');
  if (text !== '<') return JSON.parse(text) as string;
  const [own = ''] = log.slice(log.indexOf(' err=<\n') + ' err=<\n'.length).split('\n >');
  return own
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
