// The mandatory and suggested FlowSchemas and PriorityLevelConfigurations of every cluster.

import type { JsonObject } from '../../api/object.ts';
import { CURRENT_MINOR } from '../../lifecycle/version.ts';
import { flowSubject, group, type Subject, serviceAccount, user } from './rules.ts';

interface FlowSchemaFacts {
  readonly name: string;
  readonly level: string;
  /** matchingPrecedence: the lowest that matches wins. */
  readonly precedence: number;
  readonly distinguishedBy?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly Subject[];
  /** The matched requests; everything by default. */
  readonly rules?: JsonObject;
  /** The last minor release of Kubernetes 1 that has it. */
  readonly until?: number;
}

const ANYBODY = [group('system:unauthenticated'), group('system:authenticated')];

const EVERYTHING: JsonObject = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

function lockRule(apiGroup: string, ...resources: string[]): JsonObject {
  return { verbs: ['get', 'create', 'update'], apiGroups: [apiGroup], resources, namespaces: ['*'] };
}

const LEASES = lockRule('coordination.k8s.io', 'leases');
const LEADER_ELECTION: JsonObject = { resourceRules: [LEASES] };
/** Locks were endpoints and configmaps before they were leases. */
const OLD_LEADER_ELECTION: JsonObject = { resourceRules: [lockRule('', 'endpoints', 'configmaps'), LEASES] };
const ENDPOINTS: JsonObject = { resourceRules: [lockRule('', 'endpoints')] };

const PROBES: JsonObject = {
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
};

const NODE_HEARTBEATS: JsonObject = {
  resourceRules: [
    { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
    { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
  ],
};

const CONTROLLER_MANAGER = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');

const FLOW_SCHEMAS: readonly FlowSchemaFacts[] = [
  { name: 'exempt', level: 'exempt', precedence: 1, subjects: [group('system:masters')] },
  { name: 'probes', level: 'exempt', precedence: 2, subjects: ANYBODY, rules: PROBES },
  {
    name: 'system-leader-election',
    level: 'leader-election',
    precedence: 100,
    distinguishedBy: 'ByUser',
    subjects: [CONTROLLER_MANAGER, SCHEDULER, serviceAccount('*')],
    rules: LEADER_ELECTION,
  },
  {
    name: 'endpoint-controller',
    level: 'workload-high',
    precedence: 150,
    distinguishedBy: 'ByUser',
    subjects: [
      CONTROLLER_MANAGER,
      serviceAccount('endpoint-controller'),
      serviceAccount('endpointslicemirroring-controller'),
    ],
    rules: ENDPOINTS,
    until: 33,
  },
  {
    name: 'workload-leader-election',
    level: 'leader-election',
    precedence: 200,
    distinguishedBy: 'ByUser',
    subjects: [serviceAccount('*')],
    rules: OLD_LEADER_ELECTION,
    until: 33,
  },
  {
    name: 'system-node-high',
    level: 'node-high',
    precedence: 400,
    distinguishedBy: 'ByUser',
    subjects: [group('system:nodes')],
    rules: NODE_HEARTBEATS,
  },
  {
    name: 'system-nodes',
    level: 'system',
    precedence: 500,
    distinguishedBy: 'ByUser',
    subjects: [group('system:nodes')],
  },
  {
    name: 'kube-controller-manager',
    level: 'workload-high',
    precedence: 800,
    distinguishedBy: 'ByNamespace',
    subjects: [CONTROLLER_MANAGER],
  },
  {
    name: 'kube-scheduler',
    level: 'workload-high',
    precedence: 800,
    distinguishedBy: 'ByNamespace',
    subjects: [SCHEDULER],
  },
  {
    name: 'kube-system-service-accounts',
    level: 'workload-high',
    precedence: 900,
    distinguishedBy: 'ByNamespace',
    subjects: [serviceAccount('*')],
  },
  {
    name: 'service-accounts',
    level: 'workload-low',
    precedence: 9000,
    distinguishedBy: 'ByUser',
    subjects: [group('system:serviceaccounts')],
  },
  { name: 'global-default', level: 'global-default', precedence: 9900, distinguishedBy: 'ByUser', subjects: ANYBODY },
  { name: 'catch-all', level: 'catch-all', precedence: 10_000, distinguishedBy: 'ByUser', subjects: ANYBODY },
];

interface PriorityLevelFacts {
  readonly name: string;
  /** nominalConcurrencyShares. */
  readonly shares: number;
  readonly lendablePercent: number;
  /** Queues of a level with queuing; a level without them rejects requests. */
  readonly queues?: number;
  readonly handSize?: number;
}

const QUEUE_LENGTH = 50;

const LIMITED_LEVELS: readonly PriorityLevelFacts[] = [
  { name: 'system', shares: 30, lendablePercent: 33, queues: 64, handSize: 6 },
  { name: 'node-high', shares: 40, lendablePercent: 25, queues: 64, handSize: 6 },
  { name: 'leader-election', shares: 10, lendablePercent: 0, queues: 16, handSize: 4 },
  { name: 'workload-high', shares: 40, lendablePercent: 50, queues: 128, handSize: 6 },
  { name: 'workload-low', shares: 100, lendablePercent: 90, queues: 128, handSize: 6 },
  { name: 'global-default', shares: 20, lendablePercent: 50, queues: 128, handSize: 6 },
  { name: 'catch-all', shares: 5, lendablePercent: 0 },
];

export interface NamedSpec {
  readonly name: string;
  readonly spec: JsonObject;
}

/** Those of a minor release of Kubernetes 1. */
export function flowSchemas(minor: number = CURRENT_MINOR): NamedSpec[] {
  const schemas = FLOW_SCHEMAS.filter(({ until = minor }) => minor <= until);
  return schemas.map(({ name, level, precedence, distinguishedBy, subjects, rules = EVERYTHING }) => {
    const spec: JsonObject = { priorityLevelConfiguration: { name: level }, matchingPrecedence: precedence };
    if (distinguishedBy !== undefined) spec['distinguisherMethod'] = { type: distinguishedBy };
    spec['rules'] = [{ subjects: subjects.map(flowSubject), ...rules }];
    return { name, spec };
  });
}

export function priorityLevels(): NamedSpec[] {
  const exempt = { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } };
  return [{ name: 'exempt', spec: exempt }, ...LIMITED_LEVELS.map(limitedLevel)];
}

function limitedLevel({ name, shares, lendablePercent, queues, handSize }: PriorityLevelFacts): NamedSpec {
  const limitResponse: JsonObject =
    queues === undefined
      ? { type: 'Reject' }
      : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: QUEUE_LENGTH } };
  return {
    name,
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, limitResponse, lendablePercent } },
  };
}
