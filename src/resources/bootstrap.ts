// Objects that a new server creates: namespaces, roles and bindings, flow control, priority classes, APIServices and
// the `kubernetes` Service.

import { apiVersionOf } from '../api/group-version.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { timestamp } from '../api/timestamp.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { CLUSTER_ROLE_BINDINGS } from './bootstrap/bindings.ts';
import { flowSchemas, priorityLevels } from './bootstrap/flow-control.ts';
import { ownEndpoints, ownService } from './bootstrap/own-service.ts';
import { clusterRolesIn, controllersOf, namespacedRolesIn } from './bootstrap/roles-in-release.ts';
import {
  bindingSubject,
  type ClusterRoleFacts,
  type GateEnabled,
  type Rule,
  roleReference,
  rulesInForce,
  serviceAccount,
} from './bootstrap/rules.ts';
import { danglingCondition, levelOf } from './builtin/flowcontrol/dangling.ts';
import { prioritiesIn } from './builtin/priorities.ts';
import type { Catalog } from './catalog.ts';
import { type Condition, setCondition } from './conditions.ts';
import type { ResourceDefinition } from './definition.ts';
import { hasGeneration } from './strategy-rules.ts';

export interface BootstrapObject {
  readonly definition: ResourceDefinition;
  readonly name: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  /** Creates it in the storage version, complete except for its resourceVersion. */
  readonly make: () => ApiObject;
  /** The object of older releases from which it was split off; undefined for most. */
  readonly heir?: Heir | undefined;
  /** The managers of its fields. */
  readonly making: {
    readonly said: JsonObject;
    /** The server itself by default. */
    readonly manager?: string | undefined;
    /** The manager of its status, if that was applied. */
    readonly statusManager?: string | undefined;
  };
}

/** The relation of an object to one that older releases had in its place: what an administrator changed there stays. */
interface Heir {
  /** The name of the older object, of the same kind. */
  readonly of: string;
  /** Changes the new object. */
  readonly inherit: (object: ApiObject, source: ApiObject) => void;
}

export interface BootstrapOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster IP of the `kubernetes` Service: the first of the service range. */
  readonly serviceAddress: string;
  /** Whether priority and fairness is enabled, so that FlowSchemas have a status. */
  readonly fairness: boolean;
  readonly gateEnabled: GateEnabled;
  /** The port on which the server listens, which the Service forwards to. */
  readonly port: number;
  /** The node port of that Service; 0 for none. */
  readonly nodePort: number;
}

/** The manager of these objects: the server itself. */
const SERVER_USER = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };

/** An object without the fields that every object has. */
interface Draft {
  readonly group: string;
  readonly resource: string;
  readonly metadata: JsonObject & { name: string };
  readonly content: JsonObject;
  /** The part of the content that is set explicitly; all of it by default. The rest is defaulted. */
  readonly said?: JsonObject;
  readonly manager?: string;
  readonly statusManager?: string;
  /** The status that its controller would set, which is known in advance. */
  readonly condition?: (object: ApiObject) => Condition;
  readonly heir?: Heir | undefined;
}

const RBAC = 'rbac.authorization.k8s.io';
const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io';
const ROLE_METADATA = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

/** All objects, namespaces first, except those of groups that are not served. */
export function bootstrapObjects(options: BootstrapOptions): BootstrapObject[] {
  const roles = clusterRolesIn(options.catalog.minor).filter((role) => isThere(role, options.gateEnabled));
  const drafts = [
    ...namespaces(),
    ...priorityClasses(),
    ...flowControl(options.fairness, options.catalog.minor),
    ...clusterRoles(roles, options.gateEnabled),
    ...clusterRoleBindings(roles),
    ...namespacedRoles(options.catalog.minor),
    ...apiServices(options.catalog),
    ownService(options.serviceAddress, options),
  ];
  return drafts.flatMap((draft) => complete(draft, options) ?? []);
}

/**
 * The `kubernetes` Service and its endpoints.
 *
 * @param addresses of this server and others for other machines; empty if there are none
 */
export function ownObjects(options: BootstrapOptions, addresses: readonly string[]): BootstrapObject[] {
  const endpoints = addresses.length === 0 ? [] : ownEndpoints(addresses, options.port);
  return [ownService(options.serviceAddress, options), ...endpoints].flatMap((draft) => complete(draft, options) ?? []);
}

/** Adds to a draft what every stored object has, and runs the strategy for new objects. */
function complete(
  { group, resource, metadata, content, said = content, manager, statusManager, condition, heir }: Draft,
  { catalog, clock, random }: BootstrapOptions,
): BootstrapObject | undefined {
  const definition = catalog.find(group, resource);
  if (definition === undefined) return undefined;
  const { storage, strategy } = definition;
  const make = (): ApiObject => {
    const now = timestamp(clock.now());
    const object: ApiObject = {
      kind: storage.kind,
      apiVersion: apiVersionOf(storage),
      metadata: { ...metadata, uid: random.uuid(), creationTimestamp: now },
      ...content,
    };
    if (hasGeneration(strategy, () => false)) object.metadata.generation = 1;
    strategy.prepareForCreate?.(object, { nowMs: clock.now(), gateEnabled: () => false, user: SERVER_USER });
    if (condition !== undefined) setCondition(object, condition(object), now);
    return object;
  };
  const { name, namespace } = metadata;
  const making = { said: { metadata, ...said }, manager, statusManager };
  return { definition, name, namespace: typeof namespace === 'string' ? namespace : '', make, heir, making };
}

function namespaces(): Draft[] {
  return ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ({
    group: '',
    resource: 'namespaces',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    content: { spec: { finalizers: ['kubernetes'] } },
    said: {},
  }));
}

function priorityClasses(): Draft[] {
  return Object.entries(SYSTEM_PRIORITIES).map(([name, content]) => ({
    group: 'scheduling.k8s.io',
    resource: 'priorityclasses',
    metadata: { name },
    content: { ...content, preemptionPolicy: 'PreemptLowerPriority' },
  }));
}

const SYSTEM_PRIORITIES = {
  'system-cluster-critical': {
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  'system-node-critical': {
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
};

function flowControl(fairness: boolean, minor: number): Draft[] {
  const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
  const draft = (resource: string, name: string, spec: JsonObject) => ({
    group: FLOW_CONTROL,
    resource,
    metadata: { name, annotations },
    content: { spec },
    manager: 'api-priority-and-fairness-config-producer-v1',
  });
  return [
    ...priorityLevels().map(({ name, spec }) => draft('prioritylevelconfigurations', name, spec)),
    ...flowSchemas(minor).map(({ name, spec }) => ({
      ...draft('flowschemas', name, spec),
      ...(fairness ? { condition: levelFound, statusManager: 'api-priority-and-fairness-config-consumer-v1' } : {}),
    })),
  ];
}

function levelFound(schema: ApiObject): Condition {
  return danglingCondition(levelOf(schema), true);
}

function isThere({ gates = [] }: ClusterRoleFacts, gateEnabled: GateEnabled): boolean {
  return gates.every(gateEnabled);
}

function clusterRoles(roles: readonly ClusterRoleFacts[], gateEnabled: GateEnabled): Draft[] {
  return roles.map((role) => {
    const labels: JsonObject = { ...ROLE_METADATA.labels };
    if (role.addedTo !== undefined) labels[aggregationLabel(role.addedTo)] = 'true';
    const content: JsonObject = {
      rules: role.aggregated ? aggregatedRules(role, roles, gateEnabled) : rulesInForce(role.rules, gateEnabled),
    };
    if (role.aggregated) {
      content['aggregationRule'] = {
        clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(role.name)]: 'true' } }],
      };
    }
    const { rules: _rules, ...aggregation } = content;
    return {
      group: RBAC,
      resource: 'clusterroles',
      metadata: { name: role.name, ...ROLE_METADATA, labels },
      content,
      said: role.aggregated ? aggregation : content,
      heir: heirOfRole(role.name),
    };
  });
}

const AGGREGATED_PART = 'system:aggregate-to-';

/** Before Kubernetes 1.9 the rules of `admin` and others were in these roles themselves. */
function heirOfRole(name: string): Heir | undefined {
  if (!name.startsWith(AGGREGATED_PART)) return undefined;
  const inherit = (object: ApiObject, source: ApiObject) => {
    if (source['aggregationRule'] === undefined) takeOver(object, source, 'rules');
  };
  return { of: name.slice(AGGREGATED_PART.length), inherit };
}

/** Before Kubernetes 1.14 system:discovery also allowed what system:public-info-viewer does. */
const HEIR_OF_DISCOVERY: Heir = {
  of: 'system:discovery',
  inherit: (object, source) => takeOver(object, source, 'subjects'),
};

function takeOver(object: ApiObject, source: ApiObject, member: 'rules' | 'subjects'): void {
  const { labels, annotations } = source.metadata;
  for (const [holder, name, value] of [
    [object, member, source[member]],
    [object.metadata, 'labels', labels],
    [object.metadata, 'annotations', annotations],
  ] as const) {
    if (value === undefined) delete (holder as JsonObject)[name];
    else (holder as JsonObject)[name] = value as Json;
  }
}

function aggregationLabel(role: string): string {
  return `rbac.authorization.k8s.io/aggregate-to-${role}`;
}

/** The rules of all roles that are aggregated into one, in the order of their names, without duplicates. */
function aggregatedRules(
  { name }: ClusterRoleFacts,
  roles: readonly ClusterRoleFacts[],
  gateEnabled: GateEnabled,
): Rule[] {
  const parts = roles.filter((role) => role.addedTo === name).sort((a, b) => (a.name < b.name ? -1 : 1));
  const rules = parts.flatMap((part) =>
    part.aggregated ? aggregatedRules(part, roles, gateEnabled) : rulesInForce(part.rules, gateEnabled),
  );
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function clusterRoleBindings(roles: readonly ClusterRoleFacts[]): Draft[] {
  const present = new Set(roles.map(({ name }) => name));
  const others = Object.entries(CLUSTER_ROLE_BINDINGS).filter(([name]) => present.has(name));
  const controllers = controllersOf(roles).map(
    (name) => [`system:controller:${name}`, [serviceAccount(name)]] as const,
  );
  return [...others, ...controllers].map(([name, subjects]) => ({
    group: RBAC,
    resource: 'clusterrolebindings',
    metadata: { name, ...ROLE_METADATA },
    content: {
      ...(subjects.length === 0 ? {} : { subjects: subjects.map(bindingSubject) }),
      roleRef: roleReference('ClusterRole', name),
    },
    heir: name === 'system:public-info-viewer' ? HEIR_OF_DISCOVERY : undefined,
  }));
}

function namespacedRoles(minor: number): Draft[] {
  return namespacedRolesIn(minor).flatMap(({ namespace, name, binding = name, subjects, rules }) => [
    { group: RBAC, resource: 'roles', metadata: { name, namespace, ...ROLE_METADATA }, content: { rules: [...rules] } },
    {
      group: RBAC,
      resource: 'rolebindings',
      metadata: { name: binding, namespace, ...ROLE_METADATA },
      content: { subjects: subjects.map(bindingSubject), roleRef: roleReference('Role', name) },
    },
  ]);
}

/** One for each built-in version that is served; apiregistration.k8s.io, which serves APIServices, has none. */
function apiServices(catalog: Catalog): Draft[] {
  return catalog.groups.flatMap(({ group, versions }) => {
    const priority = prioritiesIn(group, catalog.minor);
    if (priority === undefined) return [];
    return versions.map(({ version }) => ({
      group: 'apiregistration.k8s.io',
      resource: 'apiservices',
      metadata: {
        name: `${version}.${group}`,
        labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
      },
      content: {
        spec: {
          ...(group === '' ? {} : { group }),
          version,
          groupPriorityMinimum: priority.group,
          versionPriority: ownMember(priority.versions, version) ?? 0,
        },
      },
    }));
  });
}
