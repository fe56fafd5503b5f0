// What the signers of Kubernetes accept: which requests each signs, by their usages, subjects and alternative names.

import { DerError } from '../../base/der.ts';
import type { CertificateSigningRequest } from '../../resources/builtin/certificates/v1-objects.ts';
import { CertificateRequestError, certificateRequestSubject } from '../../resources/validation/certificate-request.ts';
import { requestedNames } from '../../resources/validation/requested-names.ts';

export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';

/** A request that cannot be read, as its text is not one that was validated. */
class UnreadableRequest extends Error {
  override name = 'UnreadableRequest';
}

const CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

type Rule = (request: Request) => string | undefined;

/** A request in parts. */
interface Request {
  readonly subject: { readonly organizations: readonly string[]; readonly commonName: string };
  readonly names: ReturnType<typeof requestedNames>;
  readonly usages: readonly string[];
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['kubernetes.io/kube-apiserver-client', ({ usages }) => clientFault(usages)],
  [KUBELET_CLIENT, kubeletClientFault],
  ['kubernetes.io/kubelet-serving', kubeletServingFault],
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

/** Whether requests for a signer are signed here at all. */
export function isSigner(name: string): boolean {
  return RULES.has(name);
}

/** Why the signer of a request does not sign it; undefined if it does. @throws UnreadableRequest */
export function signingFault(request: CertificateSigningRequest): string | undefined {
  return RULES.get(request.spec?.signerName ?? '')?.(parsed(request));
}

/** The common name of a request for a client certificate of a kubelet; undefined for any other. @throws UnreadableRequest */
export function kubeletOf(request: CertificateSigningRequest): string | undefined {
  if (request.spec?.signerName !== KUBELET_CLIENT) return undefined;
  const found = parsed(request);
  return kubeletClientFault(found) === undefined ? found.subject.commonName : undefined;
}

/** The PEM text of a request. */
export function pemOf({ spec }: CertificateSigningRequest): string {
  return atob(spec?.request ?? '');
}

function parsed(request: CertificateSigningRequest): Request {
  const text = pemOf(request);
  try {
    const subject = certificateRequestSubject(text);
    return { subject, names: requestedNames(text), usages: [...new Set(request.spec?.usages ?? [])] };
  } catch (error) {
    if (error instanceof CertificateRequestError || error instanceof DerError) {
      throw new UnreadableRequest(`unable to parse csr "${request.metadata.name}": ${error.message}`);
    }
    throw error;
  }
}

function clientFault(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !CLIENT_USAGES.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function kubeletClientFault({ subject, names, usages }: Request): string | undefined {
  if (!isOfNodes(subject)) return 'subject organization is not system:nodes';
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.addresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeNameFault(subject) ?? usagesFault(usages, CLIENT_USAGES);
}

function kubeletServingFault({ subject, names, usages }: Request): string | undefined {
  if (!isOfNodes(subject)) return 'subject organization is not system:nodes';
  if (names.dns.length === 0 && names.addresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesFault(usages, SERVING_USAGES) ?? nodeNameFault(subject);
}

function isOfNodes({ organizations }: Request['subject']): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nodeNameFault({ commonName }: Request['subject']): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Keys that cannot encipher do without that usage. */
function usagesFault(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const isSame = (some: readonly string[]) =>
    some.length === usages.length && some.every((usage) => usages.includes(usage));
  const without = wanted.filter((usage) => usage !== 'key encipherment');
  return isSame(wanted) || isSame(without) ? undefined : `usages did not match [${wanted.join(' ')}]`;
}
