// Tokens of service accounts that are bound to a webhook of admission (KEP-6060, 1.37): a server shows one to a webhook that
// it calls. The token attests of which API group the reviews are that it comes with, which its account must be permitted.

import { type FieldError, fieldError } from '../api/errors.ts';
import { subdomainFaults } from '../api/names.ts';
import type { ApiObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { REVIEWED_GROUPS } from '../auth/authn/token-issuer.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import { refusal } from '../auth/authz/refusal.ts';
import { serviceAccountGroups, serviceAccountUser } from '../auth/service-account.ts';

import { isLater } from '../base/soon.ts';

const EVERY_GROUP = '*';
const GROUP = 'authentication.k8s.io';

/** The longest validity of such a token. */
export const LONGEST_SECONDS = 600;

/** The kinds of objects that contain webhooks, by their resources. */
export const WEBHOOK_KINDS: ReadonlyMap<string, string> = new Map([
  ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'],
  ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'],
]);

export type Attestations = Readonly<Record<string, readonly string[] | null>>;

/** The part of a request for a token that concerns webhooks. */
export interface AttestedSpec {
  readonly audiences: readonly string[];
  readonly boundObjectRef: { readonly kind?: string; readonly apiVersion?: string } | null | undefined;
  readonly attestations?: Attestations | null;
}

/** Whether a token is to be bound to a webhook. */
export function isWebhookReference(reference: AttestedSpec['boundObjectRef']): boolean {
  const { kind = '', apiVersion = '' } = reference ?? {};
  return apiVersion === 'admissionregistration.k8s.io/v1' && WEBHOOK_KINDS.has(kind);
}

/**
 * The errors of a request for a token.
 *
 * @param others those of its other fields, which are not told if something is attested to another object
 */
export function attestationErrors(spec: AttestedSpec, others: readonly FieldError[]): readonly FieldError[] {
  const { attestations = null, audiences, boundObjectRef } = spec;
  const field = 'spec.attestations';
  const keys = Object.keys(attestations ?? {});
  if (!isWebhookReference(boundObjectRef)) {
    if (keys.length === 0) return others;
    const why = 'attestations may only be specified with a webhook bound object reference';
    return [fieldError.invalid(field, attestations, why)];
  }
  const found = [...others];
  if (audiences.length !== 1) {
    found.push(fieldError.invalid('spec.audiences', audiences, 'must be length 1 when bound to a webhook config'));
  }
  if (keys.length !== 1) {
    const why = `webhook bound requests require exactly one ${REVIEWED_GROUPS} attestation`;
    return [...found, fieldError.invalid(field, attestations, why)];
  }
  const [key = ''] = keys;
  const path = `${field}[${key}]`;
  if (key !== REVIEWED_GROUPS) return [...found, fieldError.notSupported(path, key, [REVIEWED_GROUPS])];
  const values = ownMember(attestations ?? {}, key) ?? null;
  if (values?.length !== 1) return [...found, fieldError.invalid(path, values, 'must specify a single value')];
  return [...found, ...groupFaults(values[0]!).map((why) => fieldError.invalid(`${path}[0]`, values[0], why))];
}

function groupFaults(group: string): readonly string[] {
  if (group === '') return ['may not be an empty string'];
  if (group === EVERY_GROUP) return [];
  return subdomainFaults(group).map((fault) => `must specify a valid API Group: ${fault}`);
}

/** The group that a valid request is to attest. */
export function attestedGroup({ attestations }: AttestedSpec): string {
  return ownMember(attestations ?? {}, REVIEWED_GROUPS)?.[0] ?? '';
}

/**
 * Checks that a service account may attest an API group.
 *
 * @throws ApiError 403
 */
export async function checkAttests(authorizer: Authorizer, account: ApiObject, group: string): Promise<void> {
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const attributes = {
    user: { name: serviceAccountUser({ namespace, name }), uid, groups: serviceAccountGroups(namespace), extra: {} },
    ...{ verb: 'attest', isResourceRequest: true, path: '', namespace: '', subresource: '' },
    ...{ group: GROUP, version: '*', resource: REVIEWED_GROUPS, name: group },
  };
  const deciding = authorizer.authorize(attributes);
  const { allowed, error = '', reason } = isLater(deciding) ? await deciding : deciding;
  if (allowed) return;
  throw refusal(attributes, [error, reason].filter((text) => text !== '').join(': '));
}

interface Webhook {
  readonly clientConfig?: ClientConfig;
  readonly rules?: readonly { readonly apiGroups?: readonly string[] }[];
}

interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly path?: string; port?: number };
}

/**
 * Whether a configuration has a webhook that is called at the token's audience with reviews of the group.
 *
 * @param now milliseconds since the Unix epoch
 */
export function hasWebhook(
  configuration: ApiObject,
  { audience, group, now }: { readonly audience: string; readonly group: string; readonly now: number },
): boolean {
  const { deletionTimestamp } = configuration.metadata;
  if (typeof deletionTimestamp === 'string' && now > Date.parse(deletionTimestamp)) return false;
  if (group === EVERY_GROUP) return true;
  const webhooks = (configuration['webhooks'] ?? []) as readonly Webhook[];
  return webhooks.some(({ clientConfig = {}, rules = [] }) => {
    const groups = rules.flatMap(({ apiGroups = [] }) => apiGroups);
    return (groups.includes(EVERY_GROUP) || groups.includes(group)) && isCalledAt(clientConfig, audience);
  });
}

/** An audience is the URL of a webhook as it is configured, or that of its Service. */
function isCalledAt({ url, service }: ClientConfig, audience: string): boolean {
  if (url !== undefined && audience === url) return true;
  if (service === undefined) return false;
  const { name = '', namespace = '', port = 443, path = '/' } = service;
  return audience === `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? path : `/${path}`}`;
}
