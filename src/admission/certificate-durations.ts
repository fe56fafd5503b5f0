// Metrics of the durations of issued certificates: how many requests asked for one, and how many signers honored it.

import { X509Certificate } from 'node:crypto';
import type { CertificateMetrics } from '../lifecycle/certificate-metrics.ts';
import { at, textAt } from '../resources/value.ts';
import type { AdmissionRequest, ValidatingPlugin } from './chain.ts';

/** Backdating of short-lived certificates, in milliseconds; kube-apiserver's allowance, beside a twentieth. */
const ALLOWED_MS = 5 * 60_000;

/** Counts a certificate when the request that it was issued for has been stored; then does what `last` does. */
export function certificateDurations(metrics: CertificateMetrics, last: ValidatingPlugin): ValidatingPlugin {
  return {
    name: last.name,
    validate(admission, write) {
      if (isIssuing(admission)) write.whenStored(() => count(metrics, admission));
      return last.validate(admission, write);
    },
  };
}

/** Whether a write adds the certificate of a request with a duration. */
function isIssuing({ request, operation, object, previous, dryRun }: AdmissionRequest): boolean {
  const { group, resource } = request.definition;
  if (resource !== 'certificatesigningrequests' || group !== 'certificates.k8s.io') return false;
  if (request.subresource !== 'status' || operation !== 'update' || dryRun) return false;
  return (
    textAt(previous, 'status', 'certificate') === '' &&
    textAt(object, 'status', 'certificate') !== '' &&
    typeof at(previous, 'spec', 'expirationSeconds') === 'number'
  );
}

function count({ requested, honored }: CertificateMetrics, { object, previous }: AdmissionRequest): void {
  const name = textAt(previous, 'spec', 'signerName');
  const signerName = name.startsWith('kubernetes.io/') ? name : 'other';
  requested.with({ signerName }).add();
  const wantedMs = Number(at(previous, 'spec', 'expirationSeconds')) * 1000;
  const certificate = firstCertificate(Buffer.from(textAt(object, 'status', 'certificate'), 'base64'));
  if (certificate === undefined) return;
  const issuedMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime();
  if (Math.abs(wantedMs - issuedMs) < ALLOWED_MS + wantedMs / 20) honored.with({ signerName }).add();
}

/** The first certificate in PEM; undefined for anything else, which is not the signers' business here. */
function firstCertificate(pem: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
