import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerJson, register, startOtherApiServer, untilSays } from '../../test/api-server.ts';
import { realClock, strangers } from '../../test/listening.ts';
import { until } from '../../test/until.ts';
import { startTestServer } from '../testing.ts';
import { makeCertificates } from './pki.ts';

/** A folder with a certificate for other API servers, which are told of its authority. */
async function proxyFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'aggregation-'));
  const [cert, key, ca, serving, servingKey] = ['cert', 'key', 'ca', 'serving', 'serving-key'].map((name) =>
    join(folder, `${name}.pem`),
  ) as [string, string, string, string, string];
  const pair = makeCertificates({ clock: realClock, hosts: ['other.default.svc'] });
  await writeFile(cert, pair.adminCertPem);
  await writeFile(key, pair.adminKeyPem);
  await writeFile(ca, pair.caCertPem);
  await writeFile(serving, pair.servingCertPem);
  await writeFile(servingKey, pair.servingKeyPem);
  return {
    ...{ cert, key, ca, serving, servingKey, pair },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test('aggregated servers see the proxy client certificate of the files, after a change the new one', async () => {
  await using files = await proxyFiles();
  await using other = await startOtherApiServer((_, response) => answerJson(response, {}));
  await using server = await startTestServer({ proxyClientCertFile: files.cert, proxyClientKeyFile: files.key });
  await register(server, other);
  await untilSays(server, 'Passed');
  await server.request('GET', '/apis/x.io/v1/things');
  const first = other.asked.at(-1)!.shownName;
  assert.notEqual(first, '');
  const { servingCertPem, servingKeyPem } = strangers(['127.0.0.1']);
  await writeFile(files.cert, servingCertPem);
  await writeFile(files.key, servingKeyPem);
  await until('the new one is shown', async () => {
    await server.request('GET', '/apis/x.io/v1/things');
    return other.asked.at(-1)!.shownName !== first;
  });
});

test('a server aggregated behind another one authenticates the user from requestheader headers', async () => {
  await using files = await proxyFiles();
  const { serving: tlsCertFile, servingKey: tlsPrivateKeyFile, ca: requestheaderClientCaFile } = files;
  const inner = { listen: true, tlsCertFile, tlsPrivateKeyFile, requestheaderClientCaFile };
  const headers = {
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  };
  await using behind = await startTestServer({ ...inner, ...headers });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = {
    metadata: { name: 'things.x.io' },
    spec: {
      ...{ group: 'x.io', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await behind.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await using front = await startTestServer({ proxyClientCertFile: files.cert, proxyClientKeyFile: files.key });
  const caBundle = Buffer.from(files.pair.caCertPem).toString('base64');
  await register(front, { port: Number(new URL(behind.url).port), caBundle });
  await untilSays(front, 'Passed');
  const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'one' } };
  const made = await front.request('POST', '/apis/x.io/v1/namespaces/default/things', thing);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { body } = await behind.request('GET', '/apis/x.io/v1/namespaces/default/things/one');
  assert.equal((body as typeof thing).metadata.name, 'one');
  const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  assert.equal((await front.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', self)).status, 201);
});
