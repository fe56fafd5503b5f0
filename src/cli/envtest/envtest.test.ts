import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { until } from '../../../test/until.ts';
import { envtestAssets } from './assets.ts';
import { apiServerFlags } from './kube-apiserver.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-envtest-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const program = join(import.meta.dirname, '../../../bin/keelson.js');

function make(given: string | readonly string[], environment = {}): { status: number; out: string; err: string } {
  let [out, err] = ['', ''];
  const status = envtestAssets(
    [given].flat(),
    { out: (text) => (out += text), err: (text) => (err += text) },
    { node: process.execPath, program, path: '', platform: 'linux', arch: 'x64', ...environment },
  );
  return { status, out, err };
}

/** The answer to a request with the token of the tests. */
async function askInsecurely(url: string, method: string, body = ''): Promise<{ status: number; text: string }> {
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const asked = request(url, { method, headers, rejectUnauthorized: false }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode!, text };
}

async function sendInsecurely(url: string, method: string, body = ''): Promise<number> {
  return (await askInsecurely(url, method, body)).status;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

test('envtest assets hold etcd, kube-apiserver, and kubectl if it is found', () => {
  const tools = join(folder, "it's here");
  mkdirSync(tools);
  writeFileSync(join(tools, 'kubectl'), '#!/bin/sh\necho kubectl "$@"\n');
  chmodSync(join(tools, 'kubectl'), 0o755);
  const place = join(folder, 'with kubectl');
  assert.equal(make(place, { path: tools }).out, `export KUBEBUILDER_ASSETS='${place}'\n`);
  assert.deepEqual(readdirSync(place).sort(), ['etcd', 'kube-apiserver', 'kubectl']);
  assert.equal(execFileSync(join(place, 'kubectl'), ['get', 'a b'], { encoding: 'utf8' }), 'kubectl get a b\n');
});

test('kubectl of envtest assets is searched when it runs, and its absence is reported', () => {
  const place = join(folder, 'without');
  assert.match(make(place).err, /^keelson: kubectl is not installed, [^\n]+\n$/);
  const other = join(folder, 'also without');
  make(other, { path: place });
  const later = join(folder, 'later');
  const run = (path: string) => spawnSync(join(place, 'kubectl'), ['get'], { encoding: 'utf8', env: { PATH: path } });
  const found = `${place}:${other}:/usr/bin-without:${later}:/bin`;
  const tools = [later, join(folder, 'tools')];
  for (const each of tools) mkdirSync(each);
  for (const tool of ['head', 'grep']) symlinkSync(`/usr/bin/${tool}`, join(tools[1]!, tool));
  const missing = run(`${place}:${other}:${tools[1]}`);
  assert.deepEqual([missing.status, missing.stderr], [127, 'kubectl: not installed: there is none in PATH\n']);
  writeFileSync(join(later, 'kubectl'), '#!/bin/sh\necho later "$@"\n', { mode: 0o755 });
  assert.equal(run(found).stdout, 'later get\n');
});

test('envtest assets find Keelson and Node by relative paths after a move, and report what is missing', () => {
  const [home, moved] = [join(folder, 'home'), join(folder, 'moved')];
  mkdirSync(join(home, 'keelson'), { recursive: true });
  writeFileSync(join(home, 'keelson', 'keelson.js'), 'console.log(...process.argv.slice(2))');
  symlinkSync(process.execPath, join(home, 'keelson', 'node'));
  const own = { program: join(home, 'keelson', 'keelson.js'), node: join(home, 'keelson', 'node') };
  make(['--kubernetes-version=1.37', join(home, 'assets')], own);
  cpSync(join(home, 'assets'), join(folder, 'copied'), { recursive: true });
  const run = (place: string) =>
    spawnSync(join(place, 'kube-apiserver'), ['--x'], { encoding: 'utf8', env: { PATH: '/none' } });
  const said = 'envtest-kube-apiserver --kubernetes-version=1.37 --x\n';
  assert.equal(run(join(folder, 'copied')).stdout, said);
  renameSync(home, moved);
  assert.equal(run(join(moved, 'assets')).stdout, said);
  const lost = run(join(folder, 'copied'));
  assert.equal(lost.status, 127);
  assert.match(lost.stderr, /^kube-apiserver: Keelson is not at .*home\/keelson\/keelson\.js; run [^\n]+\n$/);
});

test('envtest assets of a release have the kube-apiserver of that release', async (context) => {
  const place = join(folder, 'release');
  assert.equal(make(['--kubernetes-version', '1.37', place]).status, 0);
  const version = execFileSync(join(place, 'kube-apiserver'), ['--version'], { encoding: 'utf8' });
  assert.equal(version, 'Kubernetes v1.37.2+keelson\n');
  const tokens = join(place, 'tokens.csv');
  writeFileSync(tokens, 'secret,admin,1,system:masters\n');
  const server = spawn(join(place, 'kube-apiserver'), ['--secure-port=0', `--token-auth-file=${tokens}`]);
  context.after(() => server.kill('SIGKILL'));
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await until('the server listens', () => said.includes('listens on'));
  const headers = { authorization: 'Bearer secret' };
  const asked = request(`${/https:\S+/.exec(said)![0]}/version`, { headers, rejectUnauthorized: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  const { major, minor, gitVersion } = JSON.parse(body);
  assert.deepEqual({ major, minor, gitVersion }, { major: '1', minor: '37', gitVersion: 'v1.37.2+keelson' });
});

test('envtest assets for an unknown release are rejected with the known ones', () => {
  const { status, err } = make(['--kubernetes-version=1.99', join(folder, 'unknown')]);
  assert.equal(status, 2);
  assert.match(err, /^keelson: --kubernetes-version: "1\.99" is not a known release; known are 1\.24\.17, [^\n]+\n$/);
});

test('envtest assets report that they cannot be created', () => {
  assert.deepEqual(make('x', { platform: 'win32' }).status, 1);
  const unknown = {
    status: 2,
    out: '',
    err: "keelson: unknown flag: --unknown; see 'keelson envtest-assets --help'\n",
  };
  assert.deepEqual(make('--unknown'), unknown);
  writeFileSync(join(folder, 'file'), '');
  assert.match(make(join(folder, 'file')).err, /^keelson: .*file is a file: name a folder for the programs\n$/);
});

test('the flags of envtest are converted to those of a server in memory', () => {
  const own = ['--secure-port=1', '--allow-privileged=true', '--service-cluster-ip-range', '10.0.0.0/24', '--v', '1'];
  const storage = ['--etcd-servers=http://127.0.0.1:2', '--etcd-prefix', '/a', '', '--etcd-healthcheck-timeout', '2s'];
  assert.deepEqual(apiServerFlags([...own.slice(0, 2), ...storage, ...own.slice(2)]), own);
});

test('etcd of envtest assets is healthy until it is stopped', async () => {
  const place = join(folder, 'etcd');
  make(place);
  const url = `http://127.0.0.1:${await freePort()}`;
  assert.match(execFileSync(join(place, 'etcd'), ['--help'], { encoding: 'utf8' }), /--listen-client-urls/);
  const etcd = spawn(join(place, 'etcd'), [`--listen-client-urls=${url}`, '--data-dir=x', '--unsafe-no-fsync=true']);
  const exit = once(etcd, 'exit');
  let answer = '';
  await until('etcd answers', async () => {
    answer = await fetch(`${url}/health`).then(
      (response) => response.text(),
      () => '',
    );
    return answer !== '';
  });
  assert.deepEqual(JSON.parse(answer), { health: 'true', reason: '' });
  etcd.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('objects in envtest assets survive a restart of kube-apiserver alone, and of etcd on the same folder', async (context) => {
  const run = (name: string, flags: readonly string[]) => {
    const child = spawn(join(place, name), flags);
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  const place = join(folder, 'restarts');
  make(place);
  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const tokens = join(place, 'tokens.csv');
  writeFileSync(tokens, 'secret,admin,1,system:masters\n');
  const startEtcd = async () => {
    const etcd = run('etcd', [`--listen-client-urls=${etcdUrl}`, `--data-dir=${join(place, 'data')}`]);
    const isHealthy = () =>
      fetch(`${etcdUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('etcd answers', isHealthy);
    return etcd;
  };
  const stop = async (child: ChildProcess) => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  };
  /** Runs an API server for the time that `use` takes. */
  const served = async (use: (send: (method: string, body?: string) => Promise<number>) => Promise<void>) => {
    const flags = [`--etcd-servers=${etcdUrl}`, '--secure-port=0', `--token-auth-file=${tokens}`];
    const server = run('kube-apiserver', flags);
    let said = '';
    server.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    await until('the server listens', () => said.includes('listens on'));
    const url = `${/https:\S+/.exec(said)![0]}/api/v1/namespaces/default/configmaps`;
    await use((method, body) => sendInsecurely(method === 'GET' ? `${url}/kept` : url, method, body));
    await stop(server);
  };
  const etcd = await startEtcd();
  await served(async (send) => {
    assert.equal(await send('GET'), 404);
    assert.equal(await send('POST', '{"metadata":{"name":"kept"}}'), 201);
  });
  await served(async (send) => assert.equal(await send('GET'), 200));
  await stop(etcd);
  const second = await startEtcd();
  await served(async (send) => assert.equal(await send('GET'), 200));
  await stop(second);
});

test('kube-apiserver of envtest assets is ready on its port, has no insecure flag, and writes no file', async () => {
  const place = join(folder, 'server');
  make(place);
  assert.doesNotMatch(execFileSync(join(place, 'kube-apiserver'), ['--help'], { encoding: 'utf8' }), /insecure-port/);
  const work = join(folder, 'work');
  mkdirSync(work);
  const flags = [
    ...['--secure-port=0', '--authorization-mode=RBAC', '--disable-admission-plugins=ServiceAccount'],
    ...['--allow-privileged=true', '--storage-backend=etcd3', `--cert-dir=${work}`],
  ];
  const server = spawn(join(place, 'kube-apiserver'), [...flags, '--etcd-servers=http://127.0.0.1:1'], { cwd: work });
  const exit = once(server, 'exit');
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  await until('the server listens', () => said.includes('listens on') || server.exitCode !== null);
  assert.match(said, /Keelson listens on https:\/\/127\.0\.0\.1:\d+\n/);
  server.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  assert.deepEqual(readdirSync(work), []);
  assert.match(readFileSync(join(place, 'kube-apiserver'), 'utf8'), /^#!\/bin\/sh\n.*\nexec /s);
});

/** Starts the kube-apiserver of a folder; returns what sends it requests with the token of the tests. */
async function startApiServer(place: string, context: TestContext) {
  const tokens = join(place, 'tokens.csv');
  writeFileSync(tokens, 'secret,admin,1,system:masters\n');
  const server = spawn(join(place, 'kube-apiserver'), ['--secure-port=0', `--token-auth-file=${tokens}`]);
  context.after(() => server.kill('SIGKILL'));
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await until('the server listens', () => said.includes('listens on'));
  const url = /https:\S+/.exec(said)![0];
  return (method: string, path: string, body?: object) =>
    askInsecurely(`${url}${path}`, method, body && JSON.stringify(body));
}

const NAMESPACE = '/api/v1/namespaces/gone';

test('the content of a deleted namespace is removed if the envtest assets have controllers', async (context) => {
  const [plain, complete] = [join(folder, 'plain'), join(folder, 'complete')];
  make(plain);
  make(['--controllers=namespace-controller,garbage-collector-controller', complete]);
  const [alone, send] = [await startApiServer(plain, context), await startApiServer(complete, context)];
  for (const each of [alone, send]) {
    assert.equal((await each('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } })).status, 201);
    assert.equal((await each('POST', `${NAMESPACE}/configmaps`, { metadata: { name: 'a' } })).status, 201);
    assert.equal((await each('DELETE', NAMESPACE)).status, 200);
  }
  await until('the namespace is gone', async () => (await send('GET', NAMESPACE)).status === 404);
  assert.equal((await alone('GET', `${NAMESPACE}/configmaps/a`)).status, 200);
  assert.equal((await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status, 404);
});

test('pods run in envtest assets with nodes', async (context) => {
  const place = join(folder, 'nodes');
  make(['--nodes', '2', place]);
  const send = await startApiServer(place, context);
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const spec = { selector: { matchLabels: { app: 'a' } }, template };
  const made = await send('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'a' }, spec });
  assert.equal(made.status, 201);
  const pods = '/api/v1/namespaces/default/pods';
  await until('a pod runs', async () => (await send('GET', pods)).text.includes('"phase":"Running"'));
  assert.equal((await send('GET', '/api/v1/nodes/node-2')).status, 200);
});

test('unknown controllers and nodes are reported when envtest assets are created', () => {
  const wrong = make(['--controllers=nothing', join(folder, 'wrong')]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /"nothing" is not in the list of known controllers/);
  assert.match(make(['--nodes=-1', join(folder, 'wrong')]).err, /--nodes -1 must be between 0 and /);
});

test('the programs of envtest assets end with the suite that started them, even if it was killed', async () => {
  const place = join(folder, 'orphans');
  make(place);
  const url = `http://127.0.0.1:${await freePort()}`;
  const suite = `
    const { spawn } = require('node:child_process');
    const stdio = ['ignore', 'inherit', 'inherit'];
    const etcd = spawn(${JSON.stringify(join(place, 'etcd'))}, ['--listen-client-urls=${url}', '--data-dir=${place}/data'], { stdio });
    const server = spawn(${JSON.stringify(join(place, 'kube-apiserver'))}, ['--secure-port=0', '--etcd-servers=${url}'], { stdio });
    console.log(JSON.stringify([etcd.pid, server.pid]));`;
  const child = spawn(process.execPath, ['-e', suite], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await until('the server listens', () => said.includes('listens on'));
  const pids = JSON.parse(said.split('\n')[0]!) as number[];
  child.kill('SIGKILL');
  await until('both programs have ended', () => !pids.some(isRunning));
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody waits for is still listed.
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
