// Validation of the certificate that a signer issues for a pod: it must be for the requested key, with the times given
// in the status.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { byteLength } from '../../../api/names.ts';
import { pemBlocks } from '../../../base/pem.ts';
import { type LeafCertificate, readLeaf } from '../../validation/certificate.ts';
import { requestText, signedRequest } from '../../validation/certificate-request.ts';
import type { PodCertificateRequest } from './v1beta1-objects.ts';

const CHAIN = 'status.certificateChain';
const CHAIN_BYTES = 100 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NANOSECONDS = 1_000_000;

const TIMES = [
  ['notBefore', 'must be present and consistent with the issued certificate'],
  ['notAfter', 'must be present and consistent with the issued certificate'],
  ['beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]'],
] as const;

export function validateIssued(
  next: PodCertificateRequest,
  previous: PodCertificateRequest,
  nowMs: number,
): FieldError[] {
  const chain = next.status?.certificateChain ?? '';
  if (byteLength(chain) > CHAIN_BYTES) return [fieldError.tooLong(CHAIN, CHAIN_BYTES)];
  const refuse = (why: string) => [fieldError.invalid(CHAIN, chain, why)];
  const [first, ...others] = pemBlocks(chain);
  if (first === undefined) return refuse('issued certificate chain must contain at least one certificate');
  if (first.type !== 'CERTIFICATE') {
    return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const leaf = readLeaf(first.bytes);
  if (leaf === undefined) return refuse('leaf certificate does not parse as valid X.509');
  if (leaf.key !== requestedKey(previous)) {
    return refuse('leaf certificate was not issued to the requested public key');
  }
  const found = validateTimes(next, leaf, nowMs);
  if (found.length > 0) return found;
  for (const { type, bytes } of others) {
    if (type !== 'CERTIFICATE') {
      return refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    }
    if (readLeaf(bytes) === undefined) return refuse('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

/** The key that the holder has proved to have; from 1.36 on it may be in a certificate request. */
function requestedKey({ spec }: PodCertificateRequest): string {
  const request = spec?.stubPKCS10Request ?? '';
  return request === '' ? atob(spec?.pkixPublicKey ?? '') : signedRequest(requestText(request)).key;
}

function validateTimes(
  { spec, status = {} }: PodCertificateRequest,
  leaf: LeafCertificate,
  nowMs: number,
): FieldError[] {
  const missing = TIMES.filter(([name]) => status[name] === undefined);
  if (missing.length > 0) return missing.map(([name, why]) => fieldError.required(`status.${name}`, why));
  const [begin, end, refresh] = TIMES.map(([name]) => Date.parse(status[name] ?? '')) as [number, number, number];
  const refuse = (name: (typeof TIMES)[number][0], why: string) => [
    fieldError.invalid(`status.${name}`, status[name], why),
  ];
  if (begin !== leaf.notBeforeMs) {
    return refuse('notBefore', 'must be set to the NotBefore time encoded in the leaf certificate');
  }
  if (Math.abs(begin - nowMs) >= 5 * MINUTE_MS) {
    return refuse('notBefore', "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (end !== leaf.notAfterMs) {
    return refuse('notAfter', 'must be set to the NotAfter time encoded in the leaf certificate');
  }
  const lifetimeMs = end - begin;
  const most = spec?.maxExpirationSeconds ?? 0;
  const refuseLife = (why: string) => [fieldError.invalid(CHAIN, BigInt(lifetimeMs) * BigInt(NANOSECONDS), why)];
  if (lifetimeMs < HOUR_MS) return refuseLife('leaf certificate lifetime must be >= 1 hour');
  if (lifetimeMs > most * 1000) {
    return refuseLife(`leaf certificate lifetime must be <= spec.maxExpirationSeconds (${most})`);
  }
  if (refresh < begin + 10 * MINUTE_MS)
    return refuse('beginRefreshAt', 'must be at least 10 minutes after status.notBefore');
  if (refresh > end - 10 * MINUTE_MS)
    return refuse('beginRefreshAt', 'must be at least 10 minutes before status.notAfter');
  return [];
}
