// Validation of PodCertificateRequests: the requested identity, the proof that the requester has the private key, and
// the status set by a signer. Whether the caller may sign is a matter of authorization.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { byteLength, subdomainFaults } from '../../../api/names.ts';
import { DerError } from '../../../base/der.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import {
  CertificateRequestError,
  certificateRequestSubject,
  requestText,
  signedRequest,
} from '../../validation/certificate-request.ts';
import { signatureFault } from '../../validation/certificate-signature.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { faultErrors, validateImmutable } from '../../validation/field-rules.ts';
import { validateSignerName } from '../../validation/hosts.ts';
import { type ProofFault, proofFault, requestedKeyFault } from '../../validation/proof-of-possession.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from './v1beta1-objects.ts';
import { validateIssued } from './validation-issued.ts';

const UID_BYTES = 128;
const KEY_BYTES = 10 * 1024;
const LEAST_SECONDS = 60 * 60;
const MOST_SECONDS = 91 * 24 * 60 * 60;
const KUBERNETES_MOST_SECONDS = 24 * 60 * 60;
/** Release from which on a certificate request may be sent. */
const WITH_REQUESTS = 36;
const STATES = ['Issued', 'Denied', 'Failed'];

function validateRequest({ spec = {} }: PodCertificateRequest, context: StrategyContext): FieldError[] {
  const signer = spec.signerName ?? '';
  const found = [
    ...validateSignerName(signer, 'spec.signerName'),
    ...(['pod', 'serviceAccount', 'node'] as const).flatMap((who) => [
      ...faultErrors(subdomainFaults(spec[`${who}Name`] ?? ''), spec[`${who}Name`] ?? '', `spec.${who}Name`),
      ...validateUid(spec[`${who}UID`] ?? '', `spec.${who}UID`),
    ]),
  ];
  const seconds = spec.maxExpirationSeconds;
  const most = isKubernetes(signer) ? KUBERNETES_MOST_SECONDS : MOST_SECONDS;
  if (seconds === undefined) return [...found, fieldError.required('spec.maxExpirationSeconds', 'must be set')];
  if (seconds < LEAST_SECONDS || seconds > most) {
    const why = `must be in the range [${LEAST_SECONDS}, ${most}]`;
    found.push(fieldError.invalid('spec.maxExpirationSeconds', seconds, why));
  }
  return [...found, ...validateKey(spec, context)];
}

/** From 1.36 on, a certificate request may stand for the key and the proof. */
function validateKey(spec: PodCertificateRequestSpec, context: StrategyContext): FieldError[] {
  if (!isSince(context, WITH_REQUESTS)) return validateProof(spec, context);
  const [hasRequest, hasKey, hasProof] = [spec.stubPKCS10Request, spec.pkixPublicKey, spec.proofOfPossession].map(
    (bytes) => (bytes ?? '') !== '',
  );
  if (hasRequest && !hasKey && !hasProof) return validateStub(spec.stubPKCS10Request ?? '', context);
  if (!hasRequest && hasKey && hasProof) return validateProof(spec, context);
  const why = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  return [fieldError.invalidAsWhole('spec', why)];
}

/** What the request says beside its key is for the signer to judge. */
function validateStub(request: string, { verifySignature }: StrategyContext): FieldError[] {
  const field = 'spec.stubPKCS10Request';
  if (atob(request).length > KEY_BYTES) return [fieldError.tooLong(field, KEY_BYTES)];
  const text = requestText(request);
  try {
    certificateRequestSubject(text);
    const fault = requestedKeyFault(signedRequest(text).key);
    if (fault?.value !== undefined) return [fieldError.invalid(field, fault.value, fault.why)];
    if (fault !== undefined) return [fieldError.invalidAsWhole(field, fault.why)];
  } catch (error) {
    if (!(error instanceof CertificateRequestError || error instanceof DerError)) throw error;
    return [fieldError.invalidAsWhole(field, 'must be a valid PKCS#10 CSR')];
  }
  const isWrong = verifySignature !== undefined && signatureFault(text, verifySignature) !== undefined;
  return isWrong ? [fieldError.invalidAsWhole(field, 'invalid signature')] : [];
}

function validateUid(uid: string, field: string): FieldError[] {
  if (uid === '') return [fieldError.invalid(field, uid, 'must not be empty')];
  return byteLength(uid) > UID_BYTES ? [fieldError.tooLong(field, UID_BYTES)] : [];
}

function isKubernetes(signer: string): boolean {
  const domain = signer.split('/')[0] ?? '';
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

/** The pod's UID is signed with the private key of the certificate. */
function validateProof(spec: PodCertificateRequestSpec, { verifySignature }: StrategyContext): FieldError[] {
  const [key, proof] = [spec.pkixPublicKey ?? '', spec.proofOfPossession ?? ''];
  const [keyField, proofField] = ['spec.pkixPublicKey', 'spec.proofOfPossession'];
  if (atob(key).length > KEY_BYTES) return [fieldError.tooLong(keyField, KEY_BYTES)];
  if (atob(proof).length > KEY_BYTES) return [fieldError.tooLong(proofField, KEY_BYTES)];
  const signed = { key: atob(key), signature: atob(proof), text: spec.podUID ?? '' };
  const fault = proofFault(signed, verifySignature);
  if (fault === undefined) return [];
  return [faultOfKey(fault, key === '' ? null : key, { keyField, proofField })];
}

function faultOfKey(
  fault: ProofFault,
  key: string | null,
  fields: { keyField: string; proofField: string },
): FieldError {
  if (fault.of === 'proof') return fieldError.invalidAsWhole(fields.proofField, fault.why);
  return fieldError.invalid(fields.keyField, fault.value ?? key, fault.why);
}

/** A request has one final state, after which its status is immutable. */
function validateStatus(
  next: PodCertificateRequest,
  previous: PodCertificateRequest,
  { nowMs }: StrategyContext,
): FieldError[] {
  const found = [...validateStates(next), ...validateConditions(next.status?.conditions ?? [], 'status.conditions')];
  if (found.length > 0) return found;
  const kept = equalJson(next.status ?? {}, previous.status ?? {});
  const refuse = (why: string) => [fieldError.invalidAsWhole('status', why)];
  if (stateOf(previous) !== undefined) {
    return kept ? [] : refuse('immutable after PodCertificateRequest is issued, denied, or failed');
  }
  const state = stateOf(next);
  if (state === undefined) {
    return kept ? [] : refuse('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  }
  if (state === 'Issued') return validateIssued(next, previous, nowMs);
  const others = Object.entries(next.status ?? {}).filter(([name, value]) => name !== 'conditions' && value !== '');
  if (others.length === 0) return [];
  return refuse('non-condition status fields must be empty when denying or failing the PodCertificateRequest');
}

function validateStates({ status }: PodCertificateRequest): FieldError[] {
  let known = 0;
  return (status?.conditions ?? []).flatMap(({ type = '', status: value = '' }, index) => {
    const field = `status.conditions.[${index}]`;
    if (!STATES.includes(type)) return [fieldError.notSupported(`${field}.type`, type, STATES)];
    const found: FieldError[] = [];
    if (++known > 1) {
      const why = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      found.push(fieldError.invalid(`${field}.type`, type, why));
    }
    if (value !== 'True') found.push(fieldError.notSupported(`${field}.status`, value, ['True']));
    return found;
  });
}

function stateOf({ status }: PodCertificateRequest): string | undefined {
  return STATES.find((state) => status?.conditions?.some((each) => each.type === state && each.status === 'True'));
}

export const podCertificateRequestRules: KindRules<PodCertificateRequest> = {
  checks: { update: ['metadataChange', 'change'] },
  prepareForCreate: (request) => {
    request.status = {};
  },
  validateCreate: validateRequest,
  validateUpdate: (next, previous) => validateImmutable(next['spec'], previous['spec'], 'spec'),
  subresources: { status: { validateUpdate: validateStatus } },
};
