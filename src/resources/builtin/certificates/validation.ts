// Validation of CertificateSigningRequests (create, approval and signing) and ClusterTrustBundles.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { subdomainFaults } from '../../../api/names.ts';
import type { Json } from '../../../api/object.ts';
import { remembering } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { Checks, KindRules, StrategyContext } from '../../definition.ts';
import { decodedText } from '../../validation/base64.ts';
import {
  validateCertificateChain,
  validateCertificateRequest,
  validateTrustAnchors,
} from '../../validation/certificates.ts';
import { coveredByDeclaration } from '../../validation/declarative-validation.ts';
import { validateImmutableText, validateItems } from '../../validation/field-rules.ts';
import { validateSignerName } from '../../validation/hosts.ts';
import { differenceBehind, wholeObject } from '../../validation/whole-objects.ts';
import { KEY_USAGES } from './key-usages.ts';
import { CertificateSigningRequestCondition } from './v1.ts';
import type { CertificateSigningRequest } from './v1-objects.ts';
import type { ClusterTrustBundle } from './v1beta1-objects.ts';

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const MIN_SECONDS = 600;
/** Approved and Denied, which are permanent. */
const VERDICTS = ['Approved', 'Denied', 'Failed'];

function validateRequest({ spec }: CertificateSigningRequest, { verifySignature }: StrategyContext): FieldError[] {
  const request = spec?.request;
  const encoded = typeof request === 'string' ? request : null;
  const signer = spec?.signerName ?? '';
  const seconds = spec?.expirationSeconds;
  const found = [
    ...validateCertificateRequest(decodedText(encoded ?? ''), {
      ...{ value: encoded, field: 'spec.request' },
      verify: verifySignature,
    }),
    ...validateUsages(spec?.usages ?? []),
  ];
  if (signer === LEGACY_SIGNER) {
    const why = 'the legacy signerName is not allowed via this API version';
    found.push(fieldError.invalid('spec.signerName', signer, why));
  } else found.push(...validateSignerName(signer, 'spec.signerName'));
  if (typeof seconds === 'number' && seconds < MIN_SECONDS) {
    const why = 'may not specify a duration less than 600 seconds (10 minutes)';
    found.push(fieldError.invalid('spec.expirationSeconds', seconds, why));
  }
  return found;
}

function validateUsages(usages: readonly string[]): FieldError[] {
  if (usages.length === 0) return [fieldError.required('spec.usages')];
  const known = new Set<string>(KEY_USAGES);
  return [
    ...validateItems(usages, 'spec.usages', (usage, field) =>
      known.has(String(usage)) ? [] : [fieldError.notSupported(field, usage, KEY_USAGES)],
    ),
    ...remembering(
      () => new Set<Json>(),
      (seen) =>
        validateItems(usages, 'spec.usages', (usage, field) => {
          const isRepeated = seen.has(usage);
          seen.add(usage);
          return isRepeated ? [fieldError.duplicate(field, usage)] : [];
        }),
    ),
  ];
}

/** The first minor release of Kubernetes 1 whose error for both verdicts is about all conditions. */
const ABOUT_BOTH = 34;

function validateConditions(request: CertificateSigningRequest, context: Pick<StrategyContext, 'minor'>): FieldError[] {
  const ofBoth = isSince(context, ABOUT_BOTH) ? 'status.conditions' : undefined;
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(request.status?.conditions ?? [], 'status.conditions', (condition, field) => {
        const [type, status] = [condition.type ?? '', condition.status ?? ''];
        const statuses = VERDICTS.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
        const found: FieldError[] = [];
        if (type === '') found.push(fieldError.required(`${field}.type`));
        if (status === '') found.push(fieldError.required(`${field}.status`));
        else if (!statuses.includes(status)) found.push(fieldError.notSupported(`${field}.status`, status, statuses));
        if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'))) {
          const why = 'Approved and Denied conditions are mutually exclusive';
          found.push(coveredByDeclaration(fieldError.invalid(ofBoth ?? `${field}.type`, type, why), 'zeroOrOneOf'));
        }
        if (seen.has(type)) found.push(fieldError.duplicate(`${field}.type`, type));
        seen.add(type);
        return found;
      }),
  );
}

/** These conditions may be added and changed if `may` is set, and never removed. */
function validateVerdicts(
  next: CertificateSigningRequest,
  previous: CertificateSigningRequest,
  may: readonly string[],
): FieldError[] {
  const changes = VERDICTS.map((type) => ({ type, change: verdictChange(next, previous, type) }));
  const forbid = ({ type, change }: { type: string; change: string | undefined }) => {
    const modified = change === 'modify' ? modification(next, previous, type) : '';
    const why = `updates may not ${change} a condition of type ${JSON.stringify(type)}${modified}`;
    return fieldError.forbidden('status.conditions', why);
  };
  const others = changes.filter(({ type, change }) => !may.includes(type) && (change === 'add' || change === 'modify'));
  return [...changes.filter(({ change }) => change === 'remove'), ...others].map(forbid);
}

function conditionsOf({ status }: CertificateSigningRequest, type: string) {
  return (status?.conditions ?? []).filter((condition) => (condition.type ?? '') === type);
}

/** What changed in the conditions of a type. */
function modification(next: CertificateSigningRequest, previous: CertificateSigningRequest, type: string): string {
  const whole = { type: CertificateSigningRequestCondition };
  const [before, after] = [previous, next].map((request) =>
    conditionsOf(request, type).map((condition) => wholeObject(whole, condition)),
  ) as [Json[], Json[]];
  return differenceBehind(whole, before, after);
}

function verdictChange(next: CertificateSigningRequest, previous: CertificateSigningRequest, type: string) {
  const [now, before] = [conditionsOf(next, type), conditionsOf(previous, type)];
  if (now.length !== before.length) return now.length < before.length ? 'remove' : 'add';
  return equalJson(now, before) ? undefined : 'modify';
}

/** A write to /approval: approves or denies. */
function validateApproval(
  next: CertificateSigningRequest,
  previous: CertificateSigningRequest,
  context: Pick<StrategyContext, 'minor'> = {},
): FieldError[] {
  return [...validateConditions(next, context), ...validateVerdicts(next, previous, VERDICTS)];
}

/** A write to /status: the signer issues the certificate, once. */
function validateSigning(
  next: CertificateSigningRequest,
  previous: CertificateSigningRequest,
  context: StrategyContext,
): FieldError[] {
  const [certificate, before] = [next, previous].map((request) => request.status?.certificate ?? '') as [
    string,
    string,
  ];
  const isChanged = certificate !== before;
  const found = validateConditions(next, context);
  if (isChanged && before === '') {
    found.push(...validateCertificateChain(decodedText(certificate), 'status.certificate'));
  }
  found.push(...validateVerdicts(next, previous, ['Failed']));
  if (isChanged && before !== '') {
    const why = 'updates may not modify existing certificate content';
    found.push(fieldError.forbidden('status.certificate', why));
  }
  return found;
}

/** The steps of validation of writes to /approval and /status. */
const CHECKS_OF_PARTS: Checks = { update: ['metadata', 'change', 'metadataChange'] };

export const signingRequestRules: KindRules<CertificateSigningRequest> = {
  checks: { update: ['metadata', 'metadataChange'] },
  validateCreate: validateRequest,
  subresources: {
    approval: { checks: CHECKS_OF_PARTS, validateUpdate: validateApproval },
    status: { checks: CHECKS_OF_PARTS, validateUpdate: validateSigning },
  },
};

/** The name of a signer's bundle begins with the signer's name. */
function bundleNameFaults(
  name: string,
  isPrefix: boolean,
  { object: { spec } }: { readonly object: ClusterTrustBundle },
): readonly string[] {
  const signer = spec?.signerName ?? '';
  const faultsOf = (text: string) => subdomainFaults(isPrefix ? text.replace(/-$/, 'a') : text);
  if (signer === '') {
    if (!name.includes(':')) return faultsOf(name);
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return faultsOf(name.slice(prefix.length));
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

/** An unchanged bundle is not parsed again. */
function validateTrustBundle({ spec }: ClusterTrustBundle, previous?: ClusterTrustBundle): FieldError[] {
  const { signerName = '', trustBundle = '' } = spec ?? {};
  const found = signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName');
  if (previous !== undefined && (previous.spec?.trustBundle ?? '') === trustBundle) return found;
  return [...found, ...validateTrustAnchors(trustBundle, 'spec.trustBundle')];
}

export const trustBundleRules: KindRules<ClusterTrustBundle> = {
  nameRule: { faults: bundleNameFaults },
  checks: { update: ['metadata', 'change', 'metadataChange'] },
  validateCreate: (bundle) => validateTrustBundle(bundle),
  validateUpdate: (next, previous) => [
    ...validateTrustBundle(next, previous),
    ...validateImmutableText(next.spec?.signerName, previous.spec?.signerName, 'spec.signerName'),
  ],
};
