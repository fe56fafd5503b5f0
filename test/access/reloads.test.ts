// Files that are replaced while clients send requests: by another in one go, and by a slow writer in pieces. No request may
// fail, whatever of the file is there. Time is that of the test: servers look at their files when it says so.

import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { strangers } from '../listening.ts';
import { startIssuer, type TestIssuer } from '../token-issuer.ts';
import { until } from '../until.ts';
import { startWebhook } from '../webhook-server.ts';
import { Load } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-reloads-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const SELF_REVIEW = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

function placed(name: string, content: string): string {
  const path = join(folder, `${crypto.randomUUID()}-${name}`);
  writeFileSync(path, content);
  return path;
}

type Way = (path: string, content: string, between: () => Promise<void>) => Promise<void>;

/** How files are replaced; between the pieces that a slow writer writes, lines each, other things happen. */
const ways: Readonly<Record<string, Way>> = {
  'in one go': async (path, content, between) => {
    writeFileSync(`${path}.new`, content);
    await between();
    renameSync(`${path}.new`, path);
    await between();
  },
  'in pieces': async (path, content, between) => {
    writeFileSync(path, '');
    await between();
    for (const line of content.split(/(?<=\n)/)) {
      appendFileSync(path, line);
      await between();
    }
  },
};

interface Replaced {
  readonly clock: ManualClock;
  readonly path: string;
  readonly content: string;
  readonly way: Way;
  /** How much time passes between the pieces, and before the first of them is looked at. */
  readonly stepMs: number;
  readonly firstMs?: number;
  readonly ask: () => Promise<string | undefined>;
  /** Whether the server goes by what the file holds now. */
  readonly isInForce: () => Promise<boolean>;
}

async function replaceUnderLoad({ clock, stepMs, firstMs = stepMs, ...given }: Replaced): Promise<void> {
  await using load = new Load(given.ask);
  let isFirst = true;
  await given.way(given.path, given.content, async () => {
    clock.advance(isFirst ? firstMs : stepMs);
    isFirst = false;
    await load.round();
  });
  await until('the new file is in force', async () => {
    clock.advance(stepMs);
    return await given.isInForce();
  });
  await load.round();
  assert.deepEqual(load.faults, []);
  assert.ok(load.requests > 10, `${load.requests} requests`);
}

async function userOf(server: TestServer, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await server.fetch(
    new Request(`https://localhost${SELF}`, { method: 'POST', headers, body: SELF_REVIEW }),
  );
  if (answer.status !== 201) return `${answer.status} ${await answer.text()}`;
  return ((await answer.json()) as { status: { userInfo: { username: string } } }).status.userInfo.username;
}

function issuersText(prefix: string, issuers: readonly TestIssuer[]): string {
  const lines = issuers.map(({ url, ca }) => {
    const issuer = { url, audiences: ['us'], certificateAuthority: ca };
    return `- ${JSON.stringify({ issuer, claimMappings: { username: { claim: 'sub', prefix } } })}\n`;
  });
  const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';
  return head + lines.join('');
}

/** A client that connects anew for each request. */
async function askAnew(server: TestServer, options: object): Promise<{ status: number; body: string }> {
  const { port } = new URL(server.url);
  const headers = { 'content-type': 'application/json', ...(options as { headers?: object }).headers };
  const all = { agent: false, host: '127.0.0.1', port, method: 'POST', path: SELF, ...options, headers };
  return await new Promise((resolve, reject) => {
    const asked = request(all, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    });
    asked.on('error', reject);
    asked.end(SELF_REVIEW);
  });
}

suite('reloads of configuration files under load', () => {
  for (const [name, way] of Object.entries(ways)) {
    test(`reloads of configuration files under load succeed for an AuthenticationConfiguration that is replaced ${name}`, async () => {
      await using first = await startIssuer();
      await using last = await startIssuer();
      const path = placed('authentication.yaml', issuersText('old:', [first, last]));
      const clock = new ManualClock(Date.now());
      await using server = await startTestServer({ authenticationConfig: path, controllers: '' }, { clock });
      const user = () => userOf(server, last.token({ jti: crypto.randomUUID() }));
      await until('the issuer is known', async () => (await user()) === 'old:alice');
      const ask = async () => {
        const name = await user();
        return /^(old|new):alice$/.test(name) ? undefined : name;
      };
      const isInForce = async () => (await user()) === 'new:alice';
      const content = issuersText('new:', [first, last]);
      await replaceUnderLoad({ clock, path, content, way, stepMs: 1_000, ask, isInForce });
    });

    test(`reloads of configuration files under load succeed for an AuthorizationConfiguration that is replaced ${name}`, async () => {
      const status = { allowed: true };
      const answered = { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', status };
      await using hook = await startWebhook(() => answered);
      const cluster = { server: hook.url, 'certificate-authority-data': hook.caBundle };
      const kubeconfig = JSON.stringify({
        ...{ clusters: [{ name: 'h', cluster }], contexts: [{ name: 'h', context: { cluster: 'h' } }] },
        'current-context': 'h',
      });
      const kubeConfigFile = placed('kubeconfig', kubeconfig);
      const configuration = (hookName: string) => {
        const webhook = {
          ...{ authorizedTTL: '5m', unauthorizedTTL: '30s', timeout: '3s', failurePolicy: 'NoOpinion' },
          ...{ subjectAccessReviewVersion: 'v1', connectionInfo: { type: 'KubeConfigFile', kubeConfigFile } },
        };
        const last = JSON.stringify({ type: 'Webhook', name: hookName, webhook });
        const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n';
        return `${head}- {type: RBAC, name: rbac}\n- ${last}\n`;
      };
      const path = placed('authorization.yaml', configuration('old.example'));
      const tokenAuthFile = placed('tokens.csv', 'bob-token,bob,u2\n');
      const clock = new ManualClock(Date.now());
      const options = { authorizationConfig: path, tokenAuthFile, controllers: '' };
      await using server = await startTestServer(options, { clock });
      const get = (target: string, token: string) =>
        server.fetch(new Request(`https://localhost${target}`, { headers: { authorization: `Bearer ${token}` } }));
      const ask = async () => {
        const answer = await get('/api/v1/namespaces', 'bob-token');
        return answer.status === 200 ? undefined : await answer.text();
      };
      const isInForce = async () => /automatic_reloads_total\{.*success/.test(await metricsOf(get, server));
      const content = configuration('new.example');
      await replaceUnderLoad({ clock, path, content, way, stepMs: 1_000, ask, isInForce });
      assert.doesNotMatch(await metricsOf(get, server), /automatic_reloads_total\{.*failure"\} [1-9]/);
    });

    test(`reloads of configuration files under load succeed for an EncryptionConfiguration that is replaced ${name}`, async () => {
      const key = (keyName: string) =>
        `      - aesgcm: {keys: [{name: ${keyName}, secret: ${Buffer.from(keyName.padEnd(32, '.')).toString('base64')}}]}\n`;
      const configuration = (...keys: string[]) =>
        `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n  - resources: [secrets]\n    providers:\n${keys.map(key).join('')}`;
      const path = placed('encryption.yaml', configuration('one'));
      const clock = new ManualClock(Date.now());
      const options = { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: true };
      await using server = await startTestServer({ ...options, controllers: '' }, { clock });
      const secrets = '/api/v1/namespaces/default/secrets';
      await server.request('POST', secrets, { metadata: { name: 'kept' }, stringData: { a: 'b' } });
      const get = (target: string, token: string) =>
        server.fetch(new Request(`https://localhost${target}`, { headers: { authorization: `Bearer ${token}` } }));
      const ask = async () => {
        // What is older than the key that is written with must still be read, and what is written must be read later.
        const name = `made-${crypto.randomUUID()}`;
        const made = await server.request('POST', secrets, { metadata: { name }, stringData: { a: 'b' } });
        const listed = await server.request('GET', `${secrets}?limit=2`);
        const gone = await server.request('DELETE', `${secrets}/${name}`);
        const faulty = [made, listed, gone].find(({ status }) => status >= 300);
        return faulty === undefined ? undefined : JSON.stringify(faulty.body);
      };
      const isInForce = async () =>
        /encryption_config.*reloads_total\{.*success"\} 1/.test(await metricsOf(get, server));
      const content = configuration('two', 'one');
      await replaceUnderLoad({ clock, path, content, way, firstMs: 60_000, stepMs: 500, ask, isInForce });
      assert.doesNotMatch(await metricsOf(get, server), /encryption_config.*reloads_total\{.*failure"\} [1-9]/);
    });

    test(`reloads of configuration files under load succeed for client CAs and front proxy CAs that are replaced ${name}`, async () => {
      const [first, last, third, proxies] = ['a', 'b', 'c', 'd'].map((host) => strangers([host]));
      const clientCaFile = placed('clients.crt', first!.caCertPem + last!.caCertPem);
      const requestheaderClientCaFile = placed('proxies.crt', first!.caCertPem + proxies!.caCertPem);
      const clock = new ManualClock(Date.now());
      const options = {
        ...{ listen: true, clientCaFile, requestheaderClientCaFile, requestheaderUsernameHeaders: ['X-Remote-User'] },
        controllers: '',
      };
      await using server = await startTestServer(options, { clock });
      const by = async ({ adminCertPem: cert, adminKeyPem: key }: typeof first & object, headers: object = {}) => {
        const { status, body } = await askAnew(server, { cert, key, rejectUnauthorized: false, headers });
        return status === 201 ? String(JSON.parse(body).status.userInfo.username) : `${status} ${body}`;
      };
      const known = await by(last!);
      assert.doesNotMatch(known, /^401/);
      const ask = async () => {
        const [client, proxied] = [await by(last!), await by(proxies!, { 'x-remote-user': 'jane' })];
        return client === known && proxied === 'jane' ? undefined : `${client}, ${proxied}`;
      };
      const clients = third!.caCertPem + first!.caCertPem + last!.caCertPem;
      const isInForce = async () => (await by(third!)) === known;
      const given = { clock, way, stepMs: 2_000, ask };
      await replaceUnderLoad({ ...given, path: clientCaFile, content: clients, isInForce });
      const more = third!.caCertPem + first!.caCertPem + proxies!.caCertPem;
      const isProxy = async () => (await by(third!, { 'x-remote-user': 'jane' })) === 'jane';
      await replaceUnderLoad({ ...given, path: requestheaderClientCaFile, content: more, isInForce: isProxy });
    });

    test(`reloads of configuration files under load succeed for serving certificates that are replaced ${name}`, async () => {
      const hosts = ['serving.example', 'named.example'];
      const [before, after] = [strangers(hosts), strangers(hosts)];
      const ca = [before.caCertPem, after.caCertPem];
      const place = (what: string) => ({
        certFile: placed(`${what}.crt`, before.servingCertPem),
        keyFile: placed(`${what}.key`, before.servingKeyPem),
      });
      const [serving, named] = [place('serving'), place('named')];
      const clock = new ManualClock(Date.now());
      const options = {
        ...{ listen: true, tlsCertFile: serving.certFile, tlsPrivateKeyFile: serving.keyFile, controllers: '' },
        tlsSniCertKey: [{ ...named, names: ['named.example'] }],
      };
      await using server = await startTestServer(options, { clock });
      const authorization = `Bearer ${server.token}`;
      const asked = async (servername: string, authorities: readonly string[]) => {
        const { status, body } = await askAnew(server, { servername, ca: authorities, headers: { authorization } });
        return status === 201 ? undefined : `${status} ${body}`;
      };
      for (const [pair, host] of [
        [serving, hosts[0]!],
        [named, hosts[1]!],
      ] as const) {
        const ask = () => asked(host, ca);
        const given = { clock, way, stepMs: 2_000, ask };
        const always = async () => true;
        await replaceUnderLoad({ ...given, path: pair.keyFile, content: after.servingKeyPem, isInForce: always });
        const isInForce = () =>
          asked(host, [after.caCertPem]).then(
            (fault) => fault === undefined,
            () => false,
          );
        await replaceUnderLoad({ ...given, path: pair.certFile, content: after.servingCertPem, isInForce });
      }
    });
  }
});

type Get = (target: string, token: string) => Promise<Response>;

async function metricsOf(get: Get, server: TestServer): Promise<string> {
  return await (await get('/metrics', server.token)).text();
}
