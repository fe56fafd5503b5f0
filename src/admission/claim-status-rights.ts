// The permissions for parts of the status of a ResourceClaim from 1.36 on: binding a claim changes its allocation and who
// reserved it, and a driver reports about its own devices only. As in Kubernetes this is part of validating the kind: the
// errors are returned together with those about invalid fields, and only its feature gate disables it.

import { type FieldError, fieldError } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { subdomainFaults } from '../api/names.ts';
import type { ApiObject, Json } from '../api/object.ts';
import type { AuthorizationAttributes, Authorizer } from '../auth/authz/authorizer.ts';
import { refusal } from '../auth/authz/refusal.ts';
import { splitServiceAccount } from '../auth/service-account.ts';
import type { User } from '../auth/user.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import type { AdmissionRequest, Rights } from './chain.ts';

const GROUP = 'resource.k8s.io';
const RESOURCE = 'resourceclaims';
const NODE_OF_ACCOUNT = 'authentication.kubernetes.io/node-name';
const NOBODY: Json = null;

interface Gates {
  enabled(gate: FeatureGateName): boolean;
}

/** The attributes of the request that the permissions are asked with. */
type Asked = Pick<AuthorizationAttributes, 'verb' | 'subresource' | 'namespace' | 'name'>;

export function claimStatusRights(authorizer: Authorizer, gates: Gates): Rights {
  return (admission) => {
    const { request } = admission;
    const { group, resource } = request.definition;
    if (group !== GROUP || resource !== RESOURCE || request.subresource !== 'status') return NONE;
    if (!gates.enabled('DRAResourceClaimGranularStatusAuthorization')) return NONE;
    const drivers = gates.enabled('DRAResourceClaimDeviceStatus') ? changedDrivers(admission) : [];
    const binds = ['allocation', 'reservedFor'].some((member) => changes(admission, member));
    return binds || drivers.length > 0 ? refusals(authorizer, admission, { binds, drivers }) : NONE;
  };
}

const NONE: readonly FieldError[] = Object.freeze([]);

function changes({ object, previous }: AdmissionRequest, member: string): boolean {
  return !equalJson(at(object, 'status', member) ?? NOBODY, at(previous, 'status', member) ?? NOBODY);
}

/** Drivers with devices that are added, removed or changed, sorted. Those of a claim that is not allocated are dropped. */
function changedDrivers({ object, previous }: AdmissionRequest): string[] {
  if (at(object, 'status', 'allocation') === undefined) return [];
  const [next, before] = [devicesOf(object), devicesOf(previous)];
  const changed = [...next].filter(([key, device]) => !equalJson(device, before.get(key) ?? NOBODY));
  const removed = [...before].filter(([key]) => !next.has(key));
  return [...new Set([...changed, ...removed].map(([, device]) => textAt(device, 'driver')))].sort();
}

function devicesOf(claim: ApiObject | undefined): Map<string, Json> {
  const keyOf = (device: Json) => ['driver', 'pool', 'device', 'shareID'].map((member) => textAt(device, member));
  return new Map(listAt(claim, 'status', 'devices').map((device) => [JSON.stringify(keyOf(device)), device]));
}

async function refusals(
  authorizer: Authorizer,
  { request, object }: AdmissionRequest,
  { binds, drivers }: { readonly binds: boolean; readonly drivers: readonly string[] },
): Promise<readonly FieldError[]> {
  const { definition, version, namespace, user, verb = 'update' } = request;
  const { group, resource } = definition;
  const common = { user, isResourceRequest: true, path: '', group, version: version.version, resource };
  /** Why it is refused; undefined if it is not. */
  const refused = async (asked: Asked): Promise<string | undefined> => {
    const attributes = { ...common, ...asked };
    const { allowed, reason, error } = await authorizer.authorize(attributes);
    if (allowed) return undefined;
    return refusal(attributes, [error, reason].filter((each) => each).join(': ')).message;
  };
  const found: FieldError[] = [];
  const why = binds ? await refused({ verb, subresource: 'binding', namespace: '', name: '' }) : undefined;
  if (why !== undefined) {
    const what = 'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding"';
    found.push(unpermitted('status.allocation', `${what}, verb="${verb}" permission: ${why}`));
  }
  const isNear = isOnNode(user, nodeOf(object));
  const verbs = [...(isNear ? [`associated-node:${verb}`] : []), `arbitrary-node:${verb}`];
  for (const driver of drivers) {
    const answers: string[] = [];
    for (const each of verbs) {
      const answer = await refused({ verb: each, subresource: 'driver', namespace, name: driver });
      if (answer === undefined) break;
      answers.push(answer);
    }
    if (answers.length < verbs.length) continue;
    const what = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]"`;
    found.push(unpermitted('status.devices', `${what} permission: ${answers[0]}`));
  }
  return found;
}

/** No declared rule says the same. */
function unpermitted(field: string, why: string): FieldError {
  return { ...fieldError.forbidden(field, why), covered: false };
}

/** The only node that the allocation of a claim selects by name; '' if there is none. */
function nodeOf(claim: ApiObject | undefined): string {
  const terms = listAt(claim, 'status', 'allocation', 'nodeSelector', 'nodeSelectorTerms');
  const [fields, expressions] = [listAt(terms[0], 'matchFields'), listAt(terms[0], 'matchExpressions')];
  const [field] = fields;
  if (terms.length !== 1 || fields.length !== 1 || expressions.length > 0 || !isObject(field)) return '';
  const values = listAt(field, 'values');
  const isByName = field['key'] === 'metadata.name' && field['operator'] === 'In' && values.length === 1;
  return isByName ? String(values[0]) : '';
}

/** Whether a user is a service account whose token is bound to the node. */
function isOnNode({ name, extra }: User, node: string): boolean {
  if (node === '' || splitServiceAccount(name) === undefined) return false;
  const nodes = extra[NODE_OF_ACCOUNT] ?? [];
  return nodes.length === 1 && nodes[0] === node && subdomainFaults(node).length === 0;
}
