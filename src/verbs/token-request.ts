// The subresource token of service accounts: issues a token for the account, with a duration and audiences, and
// optionally bound to an object.

import { errors, type FieldError, fieldError } from '../api/errors.ts';
import { parseApiVersion } from '../api/group-version.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import type { BoundTokenRequest, NamedObject, TokenIssuer } from '../auth/authn/token-issuer.ts';
import { readToken } from '../auth/authn/token-key.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { Catalog } from '../resources/catalog.ts';
import { replacing } from './admitted-object.ts';
import { requestOfKind } from './body-kind.ts';
import { findStored } from './caught-up.ts';
import { decodingBody } from './decode-body.ts';
import { withEmptyMembers } from './empty-members.ts';
import { settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import { storageKey } from './registry.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import {
  type Attestations,
  attestationErrors,
  attestedGroup,
  checkAttests,
  hasWebhook,
  isWebhookReference,
  LONGEST_SECONDS as LONGEST_FOR_WEBHOOKS,
  WEBHOOK_KINDS,
} from './webhook-token.ts';
import { Write, type WriteContext } from './write.ts';
import { writeOptions } from './write-options.ts';

interface TokenRequestContext {
  readonly writes: WriteContext;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
  readonly issuer: TokenIssuer;
  /** Audiences of tokens whose request names none. */
  readonly audiences: readonly string[];
  /** The longest validity of a token; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** Whether and for how long tokens of pods are valid beyond the requested time; their later use is reported. */
  readonly extendsExpiration: boolean;
  readonly extendedSeconds: number;
}

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
/** The first minor release of Kubernetes 1 in which the request and its answer may name the account's UID. */
const TELLS_UID = 34;
const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
/**
 * The duration that old kubelets request; such a token of a pod is valid for longer, and its use after this time is
 * counted.
 */
const EXTENDED_SECONDS = 3607;

/** @throws ApiError 400, 404, 409 and 422. A dry run returns a valid token, as in Kubernetes. */
export async function requestToken(
  context: TokenRequestContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const { registry, admission } = context.writes;
  const options = writeOptions(request, 'CreateOptions');
  const { dryRun } = options;
  // The audit event contains the default duration, which decoding does not know here.
  const { turn } = body;
  const write = new Write(context.writes, { ...requestOfKind(request, KIND), audit: undefined }, { ...options, turn });
  const decoding = carriedOut(decodingBody(write, body), turn);
  const asked = isLater(decoding) ? await decoding : decoding;
  if (request.audit !== undefined) {
    const shown = (asked.spec ?? {}) as JsonObject;
    const expirationSeconds = shown['expirationSeconds'] ?? DEFAULT_SECONDS;
    request.audit.requestObject({ ...asked, spec: { ...shown, expirationSeconds } });
  }
  settleNamespace(request, asked);
  dropRepeatedOwners(request, asked);
  // Decoding does not know this default, which counts as said by the caller.
  ((asked.spec ??= {}) as JsonObject)['expirationSeconds'] ??= DEFAULT_SECONDS;
  await trackCreation(write, asked);
  let account!: ApiObject;
  let spec!: TokenSpec;
  const tellsUid = isSince(request.definition, TELLS_UID);
  let now = 0;
  await admission.admitWhole(
    {
      ...{ request, operation: 'create', object: asked, previous: undefined, dryRun },
      replace: replacing(write, asked),
    },
    async () => {
      checkName(request, asked);
      account = await findObject(context, request);
      if (!tellsUid) delete asked.metadata.uid;
      checkUid({ context, request, askedUid: asked.metadata.uid ?? '', account });
      spec = completeSpec(asked, context.audiences);
      const { metadata } = asked;
      metadata.name = request.name;
      metadata.namespace = request.namespace;
      if (tellsUid) metadata.uid ||= account.metadata.uid;
      now = registry.clock.now();
      metadata.creationTimestamp = timestamp(now);
      asked.status = { token: '', expirationTimestamp: null };
      // An error tells what is empty as it was given.
      withEmptyMembers(asked, write.empties, (given) =>
        checkSpec(given.spec as unknown as TokenSpec, request.definition),
      );
    },
  );
  const bound = await boundObjects(context, request, { account, spec, now });
  shorten(spec, context.maxExpirationSeconds, request.warnings);
  const extended =
    context.extendsExpiration &&
    bound.pod !== undefined &&
    spec.expirationSeconds === EXTENDED_SECONDS &&
    spec.audiences.every((audience) => context.audiences.includes(audience));
  const token = await issued(context, {
    namespace: request.namespace,
    account: nameAndUid(account),
    audiences: spec.audiences,
    expirationSeconds: extended ? context.extendedSeconds : spec.expirationSeconds,
    ...(extended ? { warnAfterSeconds: spec.expirationSeconds } : {}),
    bound,
    attestations: spec.attestations ?? {},
  });
  const id = request.audit === undefined ? undefined : readToken(token)?.claims['jti'];
  if (typeof id === 'string') {
    request.audit?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${id}`);
  }
  const expirationTimestamp = timestamp(now + spec.expirationSeconds * 1000);
  return { ...asked, status: { token, expirationTimestamp } };
}

/** @throws ApiError 500 if signing fails */
async function issued({ issuer }: TokenRequestContext, request: BoundTokenRequest): Promise<string> {
  try {
    return await issuer.issue(request);
  } catch (error) {
    throw errors.internal(`failed to generate token: ${(error as Error).message}`, error);
  }
}

/** A longer duration than allowed causes a warning, not an error. */
function shorten(spec: TokenSpec, maxSeconds: number, warnings: string[]): void {
  const asked = spec.expirationSeconds;
  if (maxSeconds === 0 || asked <= maxSeconds) return;
  warnings.push(`requested expiration of ${asked} seconds shortened to ${maxSeconds} seconds`);
  spec.expirationSeconds = maxSeconds;
}

interface TokenSpec {
  audiences: readonly string[];
  expirationSeconds: number;
  boundObjectRef: BoundReference | null | undefined;
  attestations?: Attestations | null;
}

interface BoundReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** Applies defaults to the request. */
function completeSpec(asked: ApiObject, audiences: readonly string[]): TokenSpec {
  const spec = (asked.spec ??= {}) as JsonObject;
  spec['expirationSeconds'] ??= DEFAULT_SECONDS;
  if (!Array.isArray(spec['audiences']) || spec['audiences'].length === 0) spec['audiences'] = [...audiences];
  spec['boundObjectRef'] ??= null;
  return spec as unknown as TokenSpec;
}

/** Mutating admission may have changed them. @throws ApiError 422 */
function checkName({ name, namespace }: ResourceRequest, { metadata }: ApiObject): void {
  const own = { name, namespace };
  for (const member of ['name', 'namespace'] as const) {
    const said = metadata[member] ?? '';
    if (said === '' || said === own[member]) continue;
    const why = `must match the service account ${member} if specified`;
    throw errors.invalid({ ...KIND, name }, [fieldError.invalid(`metadata.${member}`, said, why)]);
  }
}

interface AskedUid {
  readonly context: TokenRequestContext;
  readonly request: ResourceRequest;
  readonly askedUid: string;
  readonly account: ApiObject;
}

/** A UID in the request identifies the account, not another one with the same name. */
function checkUid({ context, request, askedUid, account }: AskedUid): void {
  const { uid = '' } = account.metadata;
  if (askedUid === '' || askedUid === uid) return;
  const why = `the UID in the token request (${askedUid}) does not match the UID of the service account (${uid})`;
  if (!context.writes.registry.gateEnabled('TokenRequestServiceAccountUIDValidation')) {
    request.audit?.annotate('authentication.k8s.io/token-request-uid-mismatch', why);
    const later = 'In the future, this will return a conflict error';
    request.warnings.push(`${why} but TokenRequestServiceAccountUIDValidation is not enabled. ${later}`);
    return;
  }
  throw errors.conflict({ group: KIND.group, resource: KIND.kind, name: request.name }, why);
}

function checkSpec(spec: TokenSpec, { minor }: ResourceRequest['definition']): void {
  const { expirationSeconds } = spec;
  const field = 'spec.expirationSeconds';
  const found: FieldError[] = [];
  if (expirationSeconds < SHORTEST_SECONDS) {
    found.push(fieldError.invalid(field, expirationSeconds, 'may not specify a duration less than 10 minutes'));
  }
  if (expirationSeconds > LONGEST_SECONDS) {
    found.push(fieldError.invalid(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  const all = isSince({ minor }, KNOWS_WEBHOOKS) ? attestationErrors(spec, found) : found;
  if (all.length > 0) throw errors.invalid({ ...KIND, name: '' }, all);
}

const NODE_BINDING = 'ServiceAccountTokenNodeBinding';

/** Tokens for webhooks can only be had behind this gate, since this minor release. */
const WEBHOOK_BINDING = 'APIServerWebhookAuthenticationToken';
const KNOWS_WEBHOOKS = 37;
const OF_WEBHOOKS = ` (feature gate ${WEBHOOK_BINDING} is disabled)`;

type Bound = { -readonly [kind in keyof BoundTokenRequest['bound']]: NamedObject };

interface Asked {
  readonly account: ApiObject;
  readonly spec: TokenSpec;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

async function boundObjects(context: TokenRequestContext, request: ResourceRequest, asked: Asked): Promise<Bound> {
  const { boundObjectRef } = asked.spec;
  if (boundObjectRef == null) return {};
  const { kind = '', apiVersion = '', name = '', uid = '' } = boundObjectRef;
  const isWebhook = isSince(request.definition, KNOWS_WEBHOOKS) && isWebhookReference(boundObjectRef);
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const resource = group === '' ? BINDABLE.get(kind) : undefined;
  const isDisabled = isWebhook && !context.writes.registry.gateEnabled(WEBHOOK_BINDING);
  if (isDisabled || (resource === undefined && !isWebhook)) {
    const why = isDisabled ? OF_WEBHOOKS : '';
    throw errors.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}${why}`);
  }
  const object = isWebhook
    ? await webhookConfiguration(context, asked, { kind, name })
    : await boundObject(context, request, { kind, name, resource: resource! });
  const bound: Bound = { [kind.toLowerCase()]: nameAndUid(object) };
  if (kind === 'Pod') {
    const node = await nodeOfPod(context, request, object);
    if (node !== undefined) bound.node = node;
  }
  if (uid !== '' && uid !== object.metadata.uid) {
    const what = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    const why = `${what}. The object might have been deleted and then recreated`;
    throw errors.conflict({ group, resource: kind, name }, why);
  }
  return bound;
}

interface Reference {
  readonly kind: string;
  readonly name: string;
}

async function boundObject(
  context: TokenRequestContext,
  { namespace }: ResourceRequest,
  { kind, name, resource }: Reference & { readonly resource: string },
): Promise<ApiObject> {
  if (kind === 'Node' && !context.writes.registry.gateEnabled(NODE_BINDING)) {
    throw errors.badRequest(`cannot bind token to a Node object as the "${NODE_BINDING}" feature-gate is disabled`);
  }
  if (name === '') throw errors.badRequest('Name parameter required.');
  return findObject(context, { definition: context.catalog.find('', resource)!, namespace, name });
}

/** Shortens the validity of the token; which of several things is wrong with the configuration is not told. */
async function webhookConfiguration(
  context: TokenRequestContext,
  { account, spec, now }: Asked,
  { kind, name }: Reference,
): Promise<ApiObject> {
  if (spec.audiences.some((audience) => context.audiences.includes(audience))) {
    throw errors.badRequest('api server audiences are invalid for webhook token requests');
  }
  spec.expirationSeconds = Math.min(spec.expirationSeconds, LONGEST_FOR_WEBHOOKS);
  const group = attestedGroup(spec);
  await checkAttests(context.authorizer, account, group);
  const definition = context.catalog.find('admissionregistration.k8s.io', WEBHOOK_KINDS.get(kind)!)!;
  const found = name === '' ? undefined : await findStoredObject(context, { definition, namespace: '', name });
  if (found !== undefined && hasWebhook(found, { audience: spec.audiences[0]!, group, now })) return found;
  const denied = { group: '', resource: 'serviceaccounts/token', name: account.metadata.name ?? '' };
  throw errors.forbidden(denied, 'token request denied');
}

/** @throws ApiError 400 for a pod of another account */
async function nodeOfPod(
  context: TokenRequestContext,
  { name: account }: ResourceRequest,
  pod: ApiObject,
): Promise<NamedObject | undefined> {
  const { serviceAccountName, nodeName } = (pod.spec ?? {}) as { serviceAccountName?: string; nodeName?: string };
  if (serviceAccountName !== account) {
    const text = `cannot bind token for serviceaccount ${JSON.stringify(account)}`;
    throw errors.badRequest(`${text} to pod running with different serviceaccount name.`);
  }
  const tellsNode = context.writes.registry.gateEnabled('ServiceAccountTokenPodNodeInfo');
  return nodeName && tellsNode ? nodeOf(context, nodeName) : undefined;
}

const BINDABLE: ReadonlyMap<string, string> = new Map([
  ['Pod', 'pods'],
  ['Secret', 'secrets'],
  ['Node', 'nodes'],
]);

/** A missing node is included by name. */
async function nodeOf(context: TokenRequestContext, name: string): Promise<NamedObject> {
  const definition = context.catalog.find('', 'nodes')!;
  const node = await findStoredObject(context, { definition, namespace: '', name });
  return node === undefined ? { name, uid: '' } : nameAndUid(node);
}

type Location = Pick<ResourceRequest, 'definition' | 'namespace' | 'name'>;

/** @throws ApiError 404 */
async function findObject(context: TokenRequestContext, location: Location): Promise<ApiObject> {
  const { definition, name } = location;
  const found = await findStoredObject(context, location);
  if (found === undefined) throw errors.notFound({ group: definition.group, resource: definition.resource, name });
  return found;
}

async function findStoredObject(
  { writes }: TokenRequestContext,
  { definition, namespace, name }: Location,
): Promise<ApiObject | undefined> {
  const storage = await writes.registry.storage(definition);
  const stored = await findStored(storage, storageKey(definition, definition.namespaced ? namespace : '', name));
  return stored === undefined ? undefined : decodeStored(stored);
}

function nameAndUid({ metadata }: ApiObject): NamedObject {
  return { name: metadata.name ?? '', uid: metadata.uid ?? '' };
}
