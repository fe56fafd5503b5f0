import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestByTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonNameOf, der, organizationOf, pemOf, signedRequestOf } from '../../../test/signing-request.ts';
import { ManualClock } from '../../base/clock.ts';
import { makeCertificates } from '../../server/pki.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const UTF8 = 0x0c;

const started = (options: TestServerOptions = {}) =>
  startTestServer({
    ...options,
    controllers: `*,${['signing', 'approving', 'cleaner'].map((name) => `certificatesigningrequest-${name}-controller`)}`,
  });

interface Made {
  readonly pem: string;
  readonly keyPem: string;
}

/** A request with a new key. */
function made(organization: string, commonName: string): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = signedRequestOf([organizationOf(UTF8, organization), commonNameOf(commonName)], {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'),
    algorithm: der(0x30, der(0x06, '\x2a\x86\x48\xce\x3d\x04\x03\x02')),
    sign: (bytes) => sign('sha256', Buffer.from(bytes, 'latin1'), privateKey).toString('latin1'),
  });
  return { pem: pemOf(text), keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

interface Wanted {
  readonly signerName: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
}

async function ask(server: TestServer, { pem }: Made, wanted: Wanted): Promise<void> {
  const spec = { usages: ['digital signature', 'client auth'], ...wanted, request: btoa(pem) };
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r' },
    spec,
  };
  const answer = await server.request('POST', REQUESTS, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  await server.cluster.settled();
}

async function approve(server: TestServer, type = 'Approved'): Promise<void> {
  const conditions = [{ type, status: 'True', reason: 'Test', message: 'by a test' }];
  const { body } = await server.request('GET', `${REQUESTS}/r`);
  const answer = await server.request('PUT', `${REQUESTS}/r/approval`, { ...(body as object), status: { conditions } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await server.cluster.settled();
}

interface Status {
  readonly certificate?: string;
  readonly conditions?: readonly { type: string; reason: string; message: string }[];
}

async function status(server: TestServer): Promise<Status | undefined> {
  await server.cluster.settled();
  const { body } = await server.request('GET', `${REQUESTS}/r`);
  return (body as { status?: Status }).status;
}

async function certificate(server: TestServer): Promise<X509Certificate> {
  return new X509Certificate(atob((await status(server))?.certificate ?? ''));
}

test('the server accepts the client certificate that an approved CertificateSigningRequest got', async () => {
  await using server = await started({ listen: true });
  const request = made('team', 'ann');
  await ask(server, request, { signerName: CLIENT });
  assert.equal((await status(server))?.certificate, undefined);
  await approve(server);
  const cert = atob((await status(server))?.certificate ?? '');
  const text = await new Promise<string>((resolve, reject) => {
    const url = `${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    const options = {
      cert,
      key: request.keyPem,
      rejectUnauthorized: false,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    };
    const sent = requestByTls(url, options, (answer) => {
      let all = '';
      answer.on('data', (piece) => (all += piece)).on('end', () => resolve(all));
    });
    sent.on('error', reject);
    sent.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
  const { userInfo } = (JSON.parse(text) as { status: { userInfo: { username: string; groups: string[] } } }).status;
  assert.equal(userInfo.username, 'ann');
  assert.ok(userInfo.groups.includes('team'));
});

test('a signed certificate has the usages and the subject of its request', async () => {
  await using server = await started();
  const request = made('team', 'ann');
  await ask(server, request, { signerName: CLIENT });
  await approve(server);
  const issued = await certificate(server);
  assert.equal(issued.subject, 'O=team\nCN=ann');
  assert.deepEqual(issued.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  assert.equal(issued.ca, false);
  assert.ok(issued.checkPrivateKey(createPrivateKey(request.keyPem)));
});

test('the authority of --cluster-signing-cert-file signs certificates', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'signing-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock(Date.UTC(2026));
  const { caCertPem, caKeyPem } = makeCertificates({ clock, hosts: ['localhost'] });
  const [clusterSigningCertFile, clusterSigningKeyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  writeFileSync(clusterSigningCertFile, caCertPem);
  writeFileSync(clusterSigningKeyFile, caKeyPem);
  await using server = await started({ seed: 1, clusterSigningCertFile, clusterSigningKeyFile });
  await ask(server, made('team', 'ann'), { signerName: CLIENT });
  await approve(server);
  assert.ok((await certificate(server)).verify(new X509Certificate(caCertPem).publicKey));
});

test('expirationSeconds of a CertificateSigningRequest shortens the life of the certificate', async () => {
  await using server = await started();
  await ask(server, made('team', 'ann'), { signerName: CLIENT, expirationSeconds: 3600 });
  await approve(server);
  const { validToDate, validFromDate } = await certificate(server);
  assert.equal(validToDate.getTime() - validFromDate.getTime(), 3_600_000 + 300_000);
});

test('a CertificateSigningRequest with usages that its signer does not sign fails with SignerValidationFailure', async () => {
  await using server = await started();
  await ask(server, made('team', 'ann'), { signerName: CLIENT, usages: ['server auth', 'client auth'] });
  await approve(server);
  const { certificate: none, conditions } = (await status(server)) ?? {};
  assert.equal(none, undefined);
  assert.deepEqual(
    conditions?.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    ['Approved Test by a test', 'Failed SignerValidationFailure invalid usage for client certificate: server auth'],
  );
});

test('a serving certificate of a kubelet needs a DNS name or an address', async () => {
  await using server = await started();
  const usages = ['digital signature', 'server auth'];
  await ask(server, made('system:nodes', 'system:node:n1'), { signerName: 'kubernetes.io/kubelet-serving', usages });
  await approve(server);
  assert.equal((await status(server))?.conditions?.at(-1)?.message, 'DNS or IP subjectAltName is required');
});

test('the request of a kubelet for a client certificate is approved if the requester may have one', async () => {
  await using server = await started();
  await ask(server, made('system:nodes', 'system:node:n1'), { signerName: KUBELET });
  const { certificate: issued, conditions } = (await status(server)) ?? {};
  assert.notEqual(issued, undefined);
  assert.deepEqual(
    conditions?.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    ['Approved AutoApproved Auto approving kubelet client certificate after SubjectAccessReview.'],
  );
});

test('a request that is not one of a kubelet is not approved by itself', async () => {
  await using server = await started();
  await ask(server, made('team', 'system:node:n1'), { signerName: KUBELET });
  assert.equal((await status(server))?.conditions, undefined);
});

test('CertificateSigningRequests are deleted an hour after the decision, or a day after their creation without one', async () => {
  await using server = await started();
  await ask(server, made('team', 'ann'), { signerName: CLIENT });
  await server.clock!.advance('23h');
  assert.notEqual(await status(server), undefined);
  await approve(server, 'Denied');
  await server.clock!.advance('59m');
  assert.notEqual(await status(server), undefined);
  await server.clock!.advance('2m');
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${REQUESTS}/r`)).status, 404);
});
