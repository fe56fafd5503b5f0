// Permission check for policy parameters. Policies read their parameters with the server's permissions and may disclose
// them, in messages or in objects that they change. Whoever writes a policy, or a binding with parameters, must
// therefore be allowed to read them. In Kubernetes this is part of the strategy of these kinds rather than a plugin, so
// it cannot be disabled.

import { type ApiError, errors, fieldError } from '../../api/errors.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';
import { MASTERS, type User } from '../../auth/user.ts';
import { lookup } from '../../base/lookup.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { at, textAt } from '../../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { ConfigurationError, parameterKind } from './parameters.ts';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
const BINDINGS: Readonly<Record<string, string>> = lookup({
  validatingadmissionpolicybindings: 'validatingadmissionpolicies',
  mutatingadmissionpolicybindings: 'mutatingadmissionpolicies',
});
/** Any group, version and resource: the required permission if the resource is unknown. */
const ANY = '*';

interface ParameterRightsNeeds {
  readonly authorizer: Authorizer;
  readonly catalog: Catalog;
  readonly objects: ObjectLookup;
}

/** Checks policies and bindings that are complete and valid. */
export function parameterRights(needs: ParameterRightsNeeds): AdmissionPlugin {
  return {
    name: 'ParameterRights',
    admit(admission) {
      const { definition, subresource, user } = admission.request;
      if (definition.group !== GROUP || subresource !== '' || admission.object === undefined) return undefined;
      if (user.groups.includes(MASTERS)) return undefined;
      if (POLICIES.includes(definition.resource)) return checkPolicy(needs, admission, admission.object);
      const policies = BINDINGS[definition.resource];
      return policies === undefined
        ? undefined
        : checkBinding(needs, admission, { binding: admission.object, policies });
    },
  };
}

/** A policy that names a kind requires permission to get all its objects; an unchanged kind was checked before. */
async function checkPolicy(needs: ParameterRightsNeeds, admission: AdmissionRequest, policy: ApiObject): Promise<void> {
  const kind = at(policy, 'spec', 'paramKind');
  if (!isObject(kind) || equalJson(kind, at(admission.previous, 'spec', 'paramKind'))) return;
  const { user } = admission.request;
  const { resource } = resourceOf(kind, needs.catalog);
  if (await mayRead(needs.authorizer, user, { ...resource, verb: 'get', namespace: ANY, name: ANY })) return;
  const named = `kind=${textAt(kind, 'kind')}, apiVersion=${textAt(kind, 'apiVersion')}`;
  const why = `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind (${named})`;
  throw refusal(admission, 'spec.paramKind', why);
}

/** A binding with parameters requires permission to read them, at every write, because its policy may have changed. */
async function checkBinding(
  needs: ParameterRightsNeeds,
  admission: AdmissionRequest,
  { binding, policies }: { readonly binding: ApiObject; readonly policies: string },
): Promise<void> {
  const reference = at(binding, 'spec', 'paramRef');
  if (!isObject(reference)) return;
  const { user } = admission.request;
  const [name, namespace] = [textAt(reference, 'name'), textAt(reference, 'namespace')];
  const verb = name === '' ? 'list' : 'get';
  const policyName = textAt(binding, 'spec', 'policyName');
  const policy = await needs.objects.find({ group: GROUP, resource: policies }, '', policyName);
  const kind = at(policy, 'spec', 'paramKind');
  const { resource, isKnown } = resourceOf(kind, needs.catalog);
  if (await mayRead(needs.authorizer, user, { ...resource, verb, namespace, name })) return;
  const who = userText(user);
  const least = `to determine minimum required permissions and user ${who} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) throw refusal(admission, 'spec.paramRef', `unable to get policy ${policyName} ${least}`);
  if (!isKnown) {
    const told = `&{${textAt(kind, 'apiVersion')} ${textAt(kind, 'kind')}}`;
    throw refusal(admission, 'spec.paramRef', `unable to resolve paramKind ${told} ${least}`);
  }
  // For bindings of mutating policies, Kubernetes' message swaps user and verb.
  const [first, second] = policies.startsWith('mutating') ? [verb, who] : [who, verb];
  const why = `user ${first} does not have "${second}" permission on the object referenced by paramRef`;
  throw refusal(admission, 'spec.paramRef', why);
}

interface ParameterResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What must be readable; `isKnown` is false if the kind is not served. */
function resourceOf(
  kind: Json | undefined,
  catalog: Catalog,
): { readonly resource: ParameterResource; readonly isKnown: boolean } {
  if (!isObject(kind)) return { resource: { group: ANY, version: ANY, resource: ANY }, isKnown: true };
  const { group, version } = parseApiVersion(textAt(kind, 'apiVersion')) ?? { group: ANY, version: ANY };
  try {
    const resource = parameterKind({ paramKind: kind }, catalog)?.definition.resource ?? ANY;
    return { resource: { group, version, resource }, isKnown: true };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { resource: { group, version, resource: ANY }, isKnown: false };
  }
}

interface Reading extends ParameterResource {
  readonly verb: 'get' | 'list';
  readonly namespace: string;
  readonly name: string;
}

async function mayRead(authorizer: Authorizer, user: User, reading: Reading): Promise<boolean> {
  const asked = { user, ...reading, isResourceRequest: true, path: '', subresource: '' };
  return (await authorizer.authorize(asked)).allowed;
}

/** A user as formatted by Go. */
function userText({ name, uid, groups, extra }: User): string {
  const members = Object.keys(extra).sort();
  return `&{${name} ${uid} [${groups.join(' ')}] map[${members.map((key) => `${key}:[${extra[key]?.join(' ')}]`).join(' ')}]}`;
}

function refusal({ request, object }: AdmissionRequest, field: string, why: string): ApiError {
  const { kind } = request.definition;
  const name = object?.metadata.name ?? request.name;
  return errors.invalid({ group: GROUP, kind, name }, [fieldError.forbidden(field, why)]);
}
