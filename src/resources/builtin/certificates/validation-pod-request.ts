// Validation of PodCertificateRequests: the requested identity, the proof that the requester has the private key, and
// the status set by a signer. Whether the caller may sign is a matter of authorization.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { byteLength, subdomainFaults } from '../../../api/names.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { faultErrors, validateImmutable } from '../../validation/field-rules.ts';
import { validateSignerName } from '../../validation/hosts.ts';
import { type ProofFault, proofFault } from '../../validation/proof-of-possession.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from './v1alpha1-objects.ts';
import { validateIssued } from './validation-issued.ts';

const UID_BYTES = 128;
const KEY_BYTES = 10 * 1024;
const LEAST_SECONDS = 60 * 60;
const MOST_SECONDS = 91 * 24 * 60 * 60;
const KUBERNETES_MOST_SECONDS = 24 * 60 * 60;
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
  return [...found, ...validateProof(spec, context)];
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
