import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { der, signedRequestOf } from '../../../../test/signing-request.ts';
import { fieldErrorBody } from '../../../api/errors.ts';
import type { StrategyContext } from '../../definition.ts';
import type { PodCertificateRequest, PodCertificateRequestStatus } from './v1beta1-objects.ts';
import { podCertificateRequestRules } from './validation-pod-request.ts';

const context = { nowMs: 0, verifySignature: () => true } as unknown as StrategyContext;
// An Ed25519 key.
const pkixPublicKey = btoa(`\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\0${'k'.repeat(32)}`);
const spec = {
  ...{ signerName: 'a.com/b', podName: 'p', podUID: 'u', serviceAccountName: 'default', serviceAccountUID: 'u' },
  ...{ nodeName: 'n', nodeUID: 'u', maxExpirationSeconds: 86_400, pkixPublicKey, proofOfPossession: 'eA==' },
};

type Errors = Parameters<typeof fieldErrorBody>[0];
const words = (found: readonly Errors[]) => found.map((error) => `${error.field}: ${fieldErrorBody(error)}`);

function creation(change: object, given: Partial<StrategyContext> = {}): string[] {
  const request = { metadata: {}, spec: { ...spec, ...change } };
  return words(podCertificateRequestRules.validateCreate!(request, { ...context, ...given }));
}

function status(
  next: PodCertificateRequestStatus,
  previous: PodCertificateRequestStatus = {},
  asked: PodCertificateRequest['spec'] = spec,
): string[] {
  const request = (of: PodCertificateRequestStatus): PodCertificateRequest => ({
    ...{ metadata: {}, spec: asked, status: of },
  });
  const rules = podCertificateRequestRules.subresources?.['status'];
  return words(rules?.validateUpdate?.(request(next), request(previous), context) ?? []);
}

const condition = (type: string) => ({
  ...{ type, status: 'True', reason: 'R', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' },
});

describe('validation of PodCertificateRequests', () => {
  it('validation of PodCertificateRequests requires a certificate request instead of a key and a proof from 1.36 on', () => {
    const stub = (identifier: string) => {
      const algorithm = der(0x30, der(0x06, identifier));
      const key = der(0x30, algorithm, der(0x03, `\0${'k'.repeat(32)}`));
      return btoa(signedRequestOf([], { key, algorithm, sign: () => 's' }));
    };
    const only = (stubPKCS10Request: string) => ({ stubPKCS10Request, pkixPublicKey: null, proofOfPossession: null });
    const ed25519 = '\x2b\x65\x70';
    assert.deepEqual(creation(only(stub(ed25519)), { minor: 37 }), []);
    const field = 'spec.stubPKCS10Request: Invalid value:';
    const wrong = { minor: 36, verifySignature: () => false };
    assert.deepEqual(creation(only(stub(ed25519)), wrong), [`${field} invalid signature`]);
    const unknown = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
    assert.deepEqual(creation(only(stub('\x2b\x65\x6e')), { minor: 37 }), [`${field} ${unknown}`]);
    assert.deepEqual(creation(only(stub('\x2a\x03')), { minor: 37 }), [`${field} ${unknown}`]);
    assert.deepEqual(creation(only(btoa('no')), { minor: 37 }), [`${field} must be a valid PKCS#10 CSR`]);
    const long = 'spec.stubPKCS10Request: Too long: may not be more than 10240 bytes';
    assert.deepEqual(creation(only(btoa('x'.repeat(10 * 1024 + 1))), { minor: 37 }), [long]);
    const one =
      'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
    assert.deepEqual(creation({}, { minor: 37 }), []);
    for (const both of [{ proofOfPossession: null }, only(''), { stubPKCS10Request: stub(ed25519) }]) {
      assert.deepEqual(creation(both, { minor: 37 }), [one]);
    }
  });

  it('validation of PodCertificateRequests requires a pod, its service account and its node', () => {
    assert.deepEqual(creation({}), []);
    assert.deepEqual(creation({ podUID: '', nodeUID: 'u'.repeat(129) }), [
      'spec.podUID: Invalid value: "": must not be empty',
      'spec.nodeUID: Too long: may not be more than 128 bytes',
    ]);
  });

  it('validation of PodCertificateRequests limits maxExpirationSeconds to 1 hour to 91 days, and to 24 hours for signers of Kubernetes', () => {
    assert.deepEqual(creation({ maxExpirationSeconds: 3599 }), [
      'spec.maxExpirationSeconds: Invalid value: 3599: must be in the range [3600, 7862400]',
    ]);
    assert.deepEqual(creation({ signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_401 }), [
      'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
    ]);
  });

  it('validation of PodCertificateRequests requires a valid public key', () => {
    assert.deepEqual(creation({ pkixPublicKey: 'eA==' }), [
      'spec.pkixPublicKey: Invalid value: "eA==": must be a valid PKIX-serialized public key',
    ]);
  });

  it('validation of PodCertificateRequests allows a single final condition, after which the status is immutable', () => {
    const denied = { conditions: [condition('Denied')] };
    assert.deepEqual(status(denied), []);
    assert.deepEqual(status({ conditions: [condition('Issued'), condition('Denied')] }), [
      'status.conditions.[1].type: Invalid value: "Denied": There may be at most one condition with type "Issued", "Denied", or "Failed"',
    ]);
    assert.deepEqual(status({ conditions: [condition('Failed')] }, denied), [
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]);
    assert.deepEqual(status({ certificateChain: 'x' }), [
      'status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
    ]);
  });

  it('validation of PodCertificateRequests requires a certificate chain when the request is issued', () => {
    assert.deepEqual(status({ conditions: [condition('Issued')] }), [
      'status.certificateChain: Invalid value: "": issued certificate chain must contain at least one certificate',
    ]);
  });

  it('requires a certificate for the key of the certificate request', () => {
    const algorithm = der(0x30, der(0x06, '\x2b\x65\x70'));
    const keyOf = (letter: string) => der(0x30, algorithm, der(0x03, `\0${letter.repeat(32)}`));
    const time = der(0x17, '240101000000Z');
    const version = der(0xa0, der(0x02, '\x02'));
    const leaf = (key: string) => {
      const names = [der(0x30), der(0x30, time, time), der(0x30)];
      const signed = der(0x30, version, der(0x02, '\x01'), algorithm, ...names, key);
      const base64 = btoa(der(0x30, signed, algorithm, der(0x03, '\0s')));
      return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
    };
    const key = keyOf('k');
    const stubPKCS10Request = btoa(signedRequestOf([], { key, algorithm, sign: () => 's' }));
    const issued = (certificateChain: string) =>
      status(
        { conditions: [condition('Issued')], certificateChain },
        {},
        { ...spec, stubPKCS10Request, pkixPublicKey: '' },
      );
    assert.match(issued(leaf(keyOf('o'))).join(), /leaf certificate was not issued to the requested public key$/);
    assert.match(issued(leaf(key)).join(), /^status.notBefore: Required value/);
  });
});
