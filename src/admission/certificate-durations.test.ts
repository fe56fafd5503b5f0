import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519Key } from '../../test/signing-key.ts';
import { commonNameOf, pemOf, signedRequestOf } from '../../test/signing-request.ts';
import { issueCertificate } from '../server/x509.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const START = Date.UTC(2026, 0, 1);

/** A certificate that is valid for this long, as a signer puts it into a status. */
function certificate(seconds: number): string {
  const { certPem } = issueCertificate({
    subject: { commonName: 'jane' },
    use: { kind: 'client' },
    notBefore: new Date(START),
    notAfter: new Date(START + seconds * 1000),
  });
  return Buffer.from(certPem).toString('base64');
}

/** A request that asks for an hour; its signer issues a certificate, in a dry run first. */
async function issue(server: TestServer, name: string, signerName: string, seconds: number): Promise<void> {
  const request = Buffer.from(pemOf(signedRequestOf([commonNameOf('jane')], ed25519Key()))).toString('base64');
  const spec = { request, signerName, usages: ['client auth'], expirationSeconds: 3600 };
  assert.equal((await server.request('POST', REQUESTS, { metadata: { name }, spec })).status, 201);
  const status = { certificate: certificate(seconds) };
  for (const query of ['?dryRun=All', '', '']) {
    const answer = await server.patch(`${REQUESTS}/${name}/status${query}`, { status });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
}

test('metrics count issued certificates by signer, and those whose requested duration was honored', async () => {
  await using server = await startTestServer({ controllers: '' });
  await issue(server, 'a', 'kubernetes.io/kube-apiserver-client', 3600);
  // Backdated by less than five minutes.
  await issue(server, 'b', 'kubernetes.io/kube-apiserver-client', 3600 + 299);
  await issue(server, 'c', 'example.com/signer', 24 * 3600);
  const { body } = await server.request('GET', '/metrics');
  const counted = String(body)
    .split('\n')
    .filter((line) => line.startsWith('apiserver_certificates_registry_'));
  assert.deepEqual(counted.toSorted(), [
    'apiserver_certificates_registry_csr_honored_duration_total{signerName="kubernetes.io/kube-apiserver-client"} 2',
    'apiserver_certificates_registry_csr_requested_duration_total{signerName="kubernetes.io/kube-apiserver-client"} 2',
    'apiserver_certificates_registry_csr_requested_duration_total{signerName="other"} 1',
  ]);
});
