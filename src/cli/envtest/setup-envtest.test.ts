import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../test/until.ts';
import { setupEnvtest } from './setup-envtest.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-setup-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const program = join(import.meta.dirname, '../../../bin/keelson.js');

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: string;
  readonly input?: readonly Buffer[];
}

async function setup(argv: readonly string[], { env = {}, platform = 'linux', input = [] }: Given = {}) {
  let [out, err] = ['', ''];
  const status = await setupEnvtest(
    argv,
    { env, out: (text) => (out += text), err: (text) => (err += text) },
    { environment: { node: process.execPath, program, path: '', platform, arch: 'x64' }, input: pieces(input) },
  );
  return { status, out, err };
}

async function* pieces(input: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* input;
}

/** The command with a folder of its own. */
function inFolder(name: string) {
  const store = join(folder, name);
  const run = (argv: string, given?: Given) => setup([...argv.split(' '), '--bin-dir', store], given);
  return { store, run };
}

const KUBECTL = /^keelson: kubectl is not installed, [^\n]+\n$/;

test('setup-envtest use creates the assets of a release and prints their path in the requested format', async () => {
  const { store, run } = inFolder('use');
  const path = join(store, 'k8s/1.37.2-linux-amd64');
  const made = await run('use 1.37.x -p path');
  assert.deepEqual([made.status, made.out], [0, path]);
  assert.match(made.err, KUBECTL);
  assert.deepEqual(readdirSync(path).sort(), ['etcd', 'kube-apiserver', 'kubectl']);
  assert.match(readFileSync(join(path, 'kube-apiserver'), 'utf8'), / --kubernetes-version=1\.37 "\$@"\n$/);
  for (const argv of ['use -p=env 1.37', 'use --print env 1.37.2', '-penv use ~1.37!', 'use latest -p env']) {
    assert.equal((await run(argv)).out, `export KUBEBUILDER_ASSETS='${path}'\n`, argv);
  }
  const overview = await run('use 1.37');
  assert.equal(overview.out, `Version: 1.37.2\nOS/Arch: linux/amd64\nPath: ${path}\n`);
});

test('setup-envtest use replaces another patch release with that of Keelson, and reports it', async () => {
  const { store, run } = inFolder('patch');
  const { status, out, err } = await run('use 1.31.0 -p path');
  assert.deepEqual([status, out], [0, join(store, 'k8s/1.31.14-linux-amd64')]);
  assert.match(err, /^keelson: Keelson is 1\.31\.14, which is used for 1\.31\.0\n/);
});

test('setup-envtest list shows the installed and the available releases, the newest first', async () => {
  const { run } = inFolder('list');
  await run('use 1.36');
  await run('use 1.34 --os darwin --arch arm64');
  assert.equal((await run('list -i')).out, '(installed)  v1.36.3  linux/amd64\n');
  assert.equal((await run('list <=1.34 --installed-only --os=* --arch=*')).out, '(installed)  v1.34.4  darwin/arm64\n');
  assert.equal(
    (await run('list 1.36 --os * --arch amd64')).out,
    '(installed)  v1.36.3  linux/amd64\n(available)  v1.36.3  darwin/amd64\n(available)  v1.36.3  linux/amd64\n',
  );
  assert.equal((await run('list')).out.split('\n').length, 1 + 14 + 1);
});

test('setup-envtest --installed-only uses only installed releases', async () => {
  const { run } = inFolder('installed');
  await run('use 1.35');
  const env = { ENVTEST_INSTALLED_ONLY: '1' };
  for (const given of [await run('use -i'), await run('use', { env }), await run('use latest-on-disk')]) {
    assert.match(given.out, /^Version: 1\.35\.4\n/);
  }
  assert.match((await run('use --installed-only=false', { env })).out, /^Version: 1\.37\.2\n/);
  const missing = await run('use -i 1.30');
  assert.equal(missing.status, 2);
  assert.match(missing.err, /^keelson: no version 1\.30\.\* for linux\/amd64 is installed in [^\n]+\n$/);
});

test('setup-envtest cleanup removes the selected versions, even if the folder is read-only', async () => {
  const { store, run } = inFolder('cleanup');
  for (const version of ['1.30', '1.31', '1.32']) await run(`use ${version}`);
  chmodSync(join(store, 'k8s/1.31.14-linux-amd64'), 0o555);
  const { out } = await run('cleanup <1.32');
  assert.equal(out, 'removed 1.31.14 (linux/amd64)\nremoved 1.30.14 (linux/amd64)\n');
  assert.deepEqual(readdirSync(join(store, 'k8s')), ['1.32.13-linux-amd64']);
});

test('setup-envtest --use-env prints the folder in KUBEBUILDER_ASSETS', async () => {
  const { run } = inFolder('environment');
  const named = { KUBEBUILDER_ASSETS: '/elsewhere/1.30.2-linux-arm64' };
  assert.equal(
    (await run('use --use-env', { env: named })).out,
    'Version: 1.30.2\nOS/Arch: linux/arm64\nPath: /elsewhere/1.30.2-linux-arm64\n',
  );
  assert.match((await run('use', { env: named })).out, /^Version: 1\.37\.2\n/);
  const own = join(folder, 'own programs');
  mkdirSync(own);
  const env = { KUBEBUILDER_ASSETS: own, ENVTEST_USE_ENV: 'yes' };
  assert.match((await run('use -p path', { env })).out, /1\.37\.2-linux-amd64$/);
  for (const name of ['kube-apiserver', 'etcd', 'kubectl']) writeFileSync(join(own, name), '');
  assert.equal((await run('use -p path', { env })).out, own);
  assert.equal((await run('use', { env })).out, `Version: *\nOS/Arch: */*\nPath: ${own}\n`);
});

/** A tar archive of programs. */
function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  const place = mkdtempSync(join(folder, 'archive-'));
  mkdirSync(join(place, 'controller-tools/envtest'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(place, 'controller-tools/envtest', name), text, { mode: 0o755 });
  }
  return execFileSync('tar', ['-C', place, '-czf', '-', 'controller-tools']);
}

test('setup-envtest sideload installs programs from an archive, and replaces them only with --force', async () => {
  const { store, run } = inFolder('sideload');
  const archive = archiveOf({ 'kube-apiserver': '#!/bin/sh\necho real\n', etcd: 'x'.repeat(1300), empty: '' });
  const input = [archive.subarray(0, 100), archive.subarray(100)];
  const path = join(store, 'k8s/1.34.4-linux-amd64');
  assert.deepEqual(await run('sideload 1.34.4 -p path', { input }), { status: 0, out: path, err: '' });
  assert.deepEqual(readdirSync(path).sort(), ['empty', 'etcd', 'kube-apiserver']);
  assert.equal(readFileSync(join(path, 'etcd'), 'utf8'), 'x'.repeat(1300));
  const start = () => execFileSync(join(path, 'kube-apiserver'), ['--version'], { encoding: 'utf8' });
  assert.equal(start(), 'real\n');
  assert.equal((await run('use -i 1.34 -p path')).err, '');
  const kept = await run('use 1.34 -p path');
  assert.equal(kept.err, `keelson: the programs in ${path} are not Keelson's; --force replaces them\n`);
  assert.equal(start(), 'real\n');
  await run('use 1.34 -p path --force');
  assert.equal(start(), 'Kubernetes v1.34.4+keelson\n');
  assert.deepEqual(readdirSync(path).sort(), ['etcd', 'kube-apiserver', 'kubectl']);
});

test('setup-envtest sideload leaves nothing behind if its input is not an archive of programs', async () => {
  const { store, run } = inFolder('damaged');
  const whole = archiveOf({ etcd: 'x' });
  const cases: [readonly Buffer[], RegExp][] = [
    [[], /unexpected end of file|has no files/],
    [[Buffer.from('no archive')], /incorrect header check/],
    [[whole.subarray(0, whole.length / 2)], /unexpected end of file/],
    [[gzipSync(Buffer.alloc(512, 'a'))], /the archive is damaged, or not a tar archive/],
    [[gzipSync(Buffer.alloc(100, 'a'))], /the archive is cut off/],
    [[gzipSync(Buffer.alloc(1024))], /the archive has no files/],
  ];
  for (const [input, message] of cases) {
    const { status, out, err } = await run('sideload 1.34.1', { input });
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, message);
    assert.ok(!existsSync(join(store, 'k8s/1.34.1-linux-amd64')));
  }
});

test('setup-envtest reports an error in one line, with the exit status of the original', async () => {
  const cases: [string, 1 | 2, RegExp][] = [
    ['use 1.19', 2, /^keelson: "1\.19\.\*" is not a known release; known are 1\.24\.17, /],
    ['use 1.99.0', 2, /^keelson: "1\.99\.0" is not a known release; known are 1\.24\.17, /],
    ['use newest', 1, /"newest" is not a version/],
    ['use 1.34 --os windows', 2, /there are no programs for windows\/amd64/],
    ['use 1.34 --arch *', 2, /use needs one platform/],
    ['use 1.34 --os ../..', 2, /there is no platform/],
    ['use 1.34 --os=', 2, /must not be empty/],
    ['use -i --force', 2, /--force makes what --installed-only refuses to/],
    ['use --print json', 2, /--print is one of overview, path, env/],
    ['list --force=maybe', 2, /--force is true or false/],
    ['sideload 1.34', 2, /sideload needs one version and platform/],
    ['install', 2, /setup-envtest has no command "install"/],
    ['use 1.34 1.35', 2, /needs one of use, list, cleanup, sideload and version/],
    ['use --nope', 2, /unknown flag: --nope \(did you mean --nodes\?\);/],
  ];
  const { store, run } = inFolder('refused');
  for (const [argv, status, message] of cases) {
    const told = await run(argv);
    assert.deepEqual([told.status, told.out], [status, ''], argv);
    assert.match(told.err, /^keelson: [^\n]+; see 'keelson setup-envtest --help'\n$/, argv);
    assert.match(told.err, message, argv);
  }
  assert.equal((await run('use', { platform: 'win32' })).status, 1);
  assert.ok(!existsSync(store));
});

test('setup-envtest reads flags and versions as the original does', async () => {
  const { store, run } = inFolder('original');
  await run('use 1.31 -p path');
  const installed = '(installed)  v1.31.14  linux/amd64\n';
  for (const argv of ['list -i', 'list -i=true', 'list --installed-only=1', 'list latest-on-disk']) {
    assert.equal((await run(argv)).out, installed, argv);
  }
  assert.match((await run('list -i=false 1.31')).out, /^\(installed\) .*\n(?:\(available\) .*\n)+$/);
  // A path with an apostrophe stays one word of a shell.
  assert.equal(
    (await setup(['use', '1.31', '-p', 'env', '--bin-dir', join(store, "it's")])).out,
    `export KUBEBUILDER_ASSETS='${store}/it'"'"'s/k8s/1.31.14-linux-amd64'\n`,
  );
});

test('setup-envtest use takes a release from the disk that Keelson is not', async () => {
  const { store, run } = inFolder('sideloaded');
  const input = [archiveOf({ 'kube-apiserver': 'x', etcd: 'x', kubectl: 'x' })];
  assert.equal((await run('sideload 1.16.2', { input })).status, 0);
  const used = await run('use 1.16 -p path');
  assert.deepEqual([used.status, used.out], [0, join(store, 'k8s/1.16.2-linux-amd64')]);
});

test('setup-envtest without --bin-dir keeps the programs apart from those of the original', async () => {
  const env = { XDG_DATA_HOME: join(folder, 'data'), HOME: join(folder, 'home') };
  const path = async (platform: string) => (await setup(['use', '1.34', '-p', 'path'], { env, platform })).out;
  assert.equal(await path('linux'), join(folder, 'data/keelson-envtest/k8s/1.34.4-linux-amd64'));
  assert.equal(
    await path('darwin'),
    join(folder, 'home/Library/Application Support/keelson-envtest/k8s/1.34.4-darwin-amd64'),
  );
});

test('setup-envtest use in an empty folder creates a kube-apiserver of the release that starts', async (context) => {
  const work = join(folder, 'empty');
  mkdirSync(work);
  const argv = [program, 'setup-envtest', 'use', '1.36.x', '--bin-dir', 'bin', '-p', 'path'];
  const path = execFileSync(process.execPath, argv, {
    cwd: work,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.equal(path, join(work, 'bin/k8s/1.36.3-linux-amd64').replace('linux-amd64', path.split(/-(?=\w+-\w+$)/)[1]!));
  const server = spawn(join(path, 'kube-apiserver'), ['--secure-port=0'], { cwd: work });
  context.after(() => server.kill('SIGKILL'));
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  await until('the server listens', () => said.includes('listens on') || server.exitCode !== null);
  assert.match(said, /Keelson listens on https:\/\/127\.0\.0\.1:\d+\n/);
  assert.deepEqual(readdirSync(work), ['bin']);
});

/** What a Makefile of kubebuilder does with setup-envtest. */
const makefile = `
LOCALBIN ?= $(shell pwd)/bin
ENVTEST ?= $(LOCALBIN)/setup-envtest
ENVTEST_K8S_VERSION ?= 1.37
.PHONY: test
test: setup-envtest
\t@KUBEBUILDER_ASSETS="$(shell "$(ENVTEST)" use $(ENVTEST_K8S_VERSION) --bin-dir $(LOCALBIN) -p path)" sh -c 'echo "<$$KUBEBUILDER_ASSETS>"'
.PHONY: setup-envtest
setup-envtest: envtest
\t@$(ENVTEST) use $(ENVTEST_K8S_VERSION) --bin-dir $(LOCALBIN) -p path || exit 1
.PHONY: envtest
envtest: $(ENVTEST)
$(ENVTEST): $(LOCALBIN)
\techo downloaded; exit 1
$(LOCALBIN):
\tmkdir -p $(LOCALBIN)
`;

const withoutMake =
  spawnSync('make', ['--version'], { stdio: 'ignore' }).status === 0 ? false : 'make is not installed';

test('a Makefile of kubebuilder works unchanged with setup-envtest', { skip: withoutMake }, () => {
  const work = join(folder, 'project');
  const tool = 'node_modules/.bin/keelson-setup-envtest';
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(program, '../setup-envtest.js'), join(work, tool));
  writeFileSync(join(work, 'Makefile'), makefile);
  for (const _ of ['first', 'second']) {
    const { stdout } = spawnSync('make', ['test', `ENVTEST=${tool}`, '-o', tool], { cwd: work, encoding: 'utf8' });
    assert.match(stdout, /<.*\/bin\/k8s\/1\.37\.2-\w+-\w+>\n$/);
  }
});

test('setup-envtest use creates a kube-apiserver with the requested controllers and nodes', async () => {
  const { store, run } = inFolder('with nodes');
  const script = () => readFileSync(join(store, 'k8s/1.34.4-linux-amd64/kube-apiserver'), 'utf8');
  await run('use 1.34 --nodes 3 --controllers *');
  assert.match(
    script(),
    / envtest-kube-apiserver --kubernetes-version=1\.34 --nodes=3 '--controllers=-\*,\*' "\$@"\n$/,
  );
  await run('use 1.34');
  assert.match(script(), / envtest-kube-apiserver --kubernetes-version=1\.34 "\$@"\n$/);
  const wrong = await run('use 1.34 --controllers nothing');
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /"nothing" is not in the list of known controllers/);
});
