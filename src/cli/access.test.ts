import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ServerProcess } from '../../test/clients/server-process.ts';
import { readKubeconfig } from '../outbound/kubeconfig.ts';

const program = join(import.meta.dirname, '../../bin/keelson.js');
const folder = mkdtempSync(join(tmpdir(), 'keelson-access-'));
const dataDir = join(folder, 'data');
const server = new ServerProcess(dataDir, { flags: ['--tls-san=box.example', '--tls-san=192.0.2.7'] });
before(() => server.start());
after(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

function keelson(...words: string[]): { status: number; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return { status: status ?? -1, out: stdout, err: stderr };
}

const access = (...words: string[]) => keelson('kubeconfig', `--data-dir=${dataDir}`, ...words);

/** The answer to a request with the credentials of a kubeconfig. */
async function send(kubeconfig: string, method: string, path: string, body?: object) {
  const file = join(folder, `${crypto.randomUUID()}.kubeconfig`);
  writeFileSync(file, kubeconfig);
  const target = await readKubeconfig(file, (each) => readFileSync(each, 'utf8'));
  const headers = { 'content-type': 'application/json', authorization: target.authorization() ?? '' };
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    request(`${target.server}${path}`, { method, headers, ca: target.ca, ...target.clientCertificate(), agent: false })
      .on('error', reject)
      .on('response', async (response) => {
        let text = '';
        for await (const part of response.setEncoding('utf8')) text += part;
        resolve({ status: response.statusCode!, body: JSON.parse(text) });
      })
      .end(body && JSON.stringify(body));
  });
}

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Who the server says that the bearer of a kubeconfig is. */
async function whoIs(kubeconfig: string) {
  const { status, body } = await send(kubeconfig, 'POST', WHO, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  });
  assert.equal(status, 201);
  const { username, groups } = (body as { status: { userInfo: { username: string; groups: string[] } } }).status
    .userInfo;
  return { username, groups };
}

test('keelson kubeconfig gives a user access, with the groups of the flags', async () => {
  const { status, out } = access('--user=alice: 1', '--groups=devs,ops', '--group', 'a, b');
  assert.equal(status, 0);
  assert.deepEqual(await whoIs(out), {
    username: 'alice: 1',
    groups: ['a, b', 'devs', 'ops', 'system:authenticated'],
  });
  assert.equal((await send(out, 'GET', '/api/v1/namespaces')).status, 403);
});

test('keelson kubeconfig --expires sets the expiry of the client certificate', async () => {
  const { out } = access('--user=alice', '--expires=30d');
  const cert = Buffer.from(/client-certificate-data: (\S+)/.exec(out)![1]!, 'base64').toString();
  const days = (new X509Certificate(cert).validToDate.getTime() - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days <= 30, `${days} days`);
  const late = access('--user=alice', '--expires=99999d');
  assert.match(
    late.err,
    /^keelson: the certificate would outlive the CA that signs it, which ends on 20\d\d-\d\d-\d\d\n$/,
  );
});

test('keelson kubeconfig writes a file for its owner only, and overwrites no other', async () => {
  const file = join(folder, 'alice.kubeconfig');
  const made = access('--user=alice', '--server=https://box.example:6443', '--out', file);
  assert.match(made.out, /alice\.kubeconfig gives access as alice until 20\S+Z\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, 'utf8'), /server: "https:\/\/box\.example:6443"\n/);
  const again = access('--user=bob', '--out', file);
  assert.deepEqual(
    [again.status, again.err],
    [1, `keelson: ${file} already exists: choose another name, or remove it\n`],
  );
});

test('the serving certificate has the names of --tls-san', async () => {
  const serving = new X509Certificate(readFileSync(join(dataDir, 'pki/serving.crt')));
  assert.ok(serving.checkHost('box.example'));
  assert.ok(serving.checkIP('192.0.2.7'));
  const wrong = keelson('serve', '--tls-san=https://box');
  assert.match(wrong.err, /--tls-san "https:\/\/box" is neither a host name nor an IP address/);
});

test('keelson token issues a token of a service account from the running server', async () => {
  const words = [
    'token',
    `--data-dir=${dataDir}`,
    '--service-account=default/default',
    '--duration=1h',
    '--audience=ci',
  ];
  const { status, out } = keelson(...words);
  assert.equal(status, 0);
  const claims = JSON.parse(Buffer.from(out.split('.')[1]!, 'base64url').toString());
  assert.equal(claims.sub, 'system:serviceaccount:default:default');
  assert.deepEqual(claims.aud, ['ci']);
  assert.equal(claims.exp - claims.iat, 3600);
});

test('keelson token binds a token to an object, which must exist', async () => {
  const admin = await server.kubeconfig();
  await send(admin, 'POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'door' } });
  const words = ['token', `--data-dir=${dataDir}`, '--service-account=default/default'];
  const bound = keelson(...words, '--bound-to=secret/door');
  const claims = JSON.parse(Buffer.from(bound.out.split('.')[1]!, 'base64url').toString());
  assert.equal(claims['kubernetes.io'].secret.name, 'door');
  const missing = keelson(...words, '--bound-to=Secret/none');
  assert.deepEqual(
    [missing.status, missing.err],
    [1, 'keelson: the server issued no token: secrets "none" not found\n'],
  );
});

test('keelson kubeconfig and token report what they lack', async () => {
  const nowhere = keelson('kubeconfig', '--user=alice', '--data-dir=/no/folder');
  assert.deepEqual(
    [nowhere.status, nowhere.err],
    [
      1,
      'keelson: there is no admin.kubeconfig in /no/folder: start a server on the folder once, or name another with --data-dir\n',
    ],
  );
  for (const [words, message] of [
    [['kubeconfig'], /^keelson: kubeconfig needs --user; see 'keelson kubeconfig --help'\n$/],
    [['kubeconfig', '--user=a', '--server=box:6443'], /^keelson: --server "box:6443" is not an address such as /],
    [['kubeconfig', '--user=a', '--expires=soon'], /^keelson: --expires "soon" is not a time such as 30d or 12h; /],
    [['kubeconfig', '--usr=a'], /^keelson: unknown flag: --usr \(did you mean --user\?\); see /],
    [['token'], /^keelson: token needs --service-account, with a namespace and a name: default\/robot; /],
    [
      ['token', '--service-account=a/b', '--duration=1.5s'],
      /^keelson: --duration "1.5s" is not a time in whole seconds/,
    ],
    [
      ['token', '--service-account=a/b', '--bound-to=Role/x'],
      /^keelson: --bound-to "Role\/x" is not one of Pod, Secret, Node /,
    ],
  ] as const) {
    const { status, err } = keelson(...words);
    assert.equal(status, 2, words.join(' '));
    assert.match(err, message);
  }
});

test('keelson kubeconfig signs with the CA key alone, even while the server is stopped', async () => {
  await server.stop();
  assert.equal(access('--user=alice').status, 0);
  const stopped = keelson('token', `--data-dir=${dataDir}`, '--service-account=default/default');
  assert.match(stopped.err, /^keelson: no server answers at https:\/\/127\.0\.0\.1:\d+: start it first\n$/);
  const key = join(dataDir, 'pki/ca.key');
  renameSync(key, join(folder, 'kept.key'));
  const { status, err } = access('--user=alice');
  assert.deepEqual(
    [status, err],
    [1, `keelson: ${key} is not there: to sign a certificate, bring the CA's key back from where it is kept\n`],
  );
  renameSync(join(folder, 'kept.key'), key);
});

test('keelson kubeconfig issues no certificate for a server with another client CA', async () => {
  const own = join(folder, 'other');
  const flags = [`--client-ca-file=${join(dataDir, 'pki/ca.crt')}`];
  await using other = new ServerProcess(own, { flags });
  await other.start();
  const { status, err } = keelson('kubeconfig', '--user=alice', `--data-dir=${own}`);
  assert.equal(status, 1);
  assert.match(
    err,
    /^keelson: the server has --client-ca-file, and trusts only certificates of the authorities in that /,
  );
});

test('keelson kubeconfig reports that a server in memory has no CA', async () => {
  const own = join(folder, 'memory');
  await using other = new ServerProcess(own, { flags: ['--store=memory'] });
  await other.start();
  const { status, err } = keelson('kubeconfig', '--user=alice', `--data-dir=${own}`);
  assert.equal(status, 1);
  assert.match(err, /^keelson: there is no CA in .*memory\/pki: the server on this folder keeps everything in memory/);
});
