// Node authorizer: nodes may read related objects and write their own. The admission plugin NodeRestriction
// additionally checks the content of their writes. It has no opinion about other users.

import { type PolicyRule, ruleAllows } from '../../api/policy-rule.ts';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import type { Soon } from '../../base/soon.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import { isSince } from '../../lifecycle/version.ts';
import { NODE_LEASES, nodeNameOf } from '../node-identity.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import type { NodeGraph, RelatedResource } from './node-graph.ts';

const ALLOWED: Decision = Object.freeze({ allowed: true, reason: '' });
const NO_OPINION: Decision = Object.freeze({ allowed: false, reason: '' });

interface NodeAuthorizerNeeds {
  /** The graph; requested with the first request of a node. */
  readonly graph: () => Promise<NodeGraph>;
  /** The permissions common to all nodes. */
  readonly rules: readonly PolicyRule[];
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  /** The minor release of Kubernetes 1 whose rules apply; the one served by default if undefined. */
  readonly minor?: number;
}

/** The attributes of a node's request. */
interface Asked {
  readonly node: string;
  readonly attributes: AuthorizationAttributes;
  readonly graph: NodeGraph;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  readonly minor: number | undefined;
}

/** Undefined where the common rules decide. */
type Rule = (asked: Asked) => Decision | undefined;

export class NodeAuthorizer implements Authorizer {
  readonly #needs: NodeAuthorizerNeeds;

  constructor(needs: NodeAuthorizerNeeds) {
    this.#needs = needs;
  }

  authorize(attributes: AuthorizationAttributes): Soon<Decision> {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return NO_OPINION;
    if (node === '') return refused(`unknown node for user ${goQuote(attributes.user.name)}`);
    return this.#needs.graph().then((graph) => this.#decide(node, attributes, graph));
  }

  #decide(node: string, attributes: AuthorizationAttributes, graph: NodeGraph): Decision {
    const { gateEnabled, minor, rules } = this.#needs;
    if (attributes.isResourceRequest) {
      const rule = RULES[`${attributes.group}/${attributes.resource}`];
      const decision = rule?.({ node, attributes, graph, gateEnabled, minor });
      if (decision !== undefined) return decision;
    }
    return rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : NO_OPINION;
  }
}

function refused(reason: string): Decision {
  return { allowed: false, reason };
}

function onlyRelated({ node, attributes, graph }: Asked, resource: RelatedResource): Decision {
  if (attributes.name === '') return refused('No Object name found');
  return graph.relates(node, resource, attributes)
    ? ALLOWED
    : refused(`no relationship found between node '${node}' and this object`);
}

/** get for related objects. */
function reading(resource: RelatedResource): Rule {
  return (asked) => {
    const { verb, subresource } = asked.attributes;
    if (verb !== 'get') return refused('can only get individual resources of this type');
    if (subresource !== '') return refused('cannot get subresource');
    return onlyRelated(asked, resource);
  };
}

/** get, and list and watch by name, for related namespaced objects. */
function following(resource: RelatedResource): Rule {
  return (asked) => {
    const { verb, subresource, namespace } = asked.attributes;
    if (!READS.has(verb)) return refused('can only read resources of this type');
    if (subresource !== '') return refused('cannot read subresource');
    if (namespace === '') return refused('can only read namespaced object of this type');
    return onlyRelated(asked, resource);
  };
}

const READS = new Set(['get', 'list', 'watch']);
const CHANGES = new Set(['update', 'patch']);
const OWN_OBJECT_VERBS = new Set(['get', 'create', 'update', 'patch', 'delete']);

function claims(asked: Asked): Decision | undefined {
  const { verb, subresource } = asked.attributes;
  if (subresource !== 'status') return reading('persistentvolumeclaims')(asked);
  if (!CHANGES.has(verb)) return refused('can only get/update/patch this type');
  return onlyRelated(asked, 'persistentvolumeclaims');
}

function accounts(asked: Asked): Decision | undefined {
  const { verb, subresource, name } = asked.attributes;
  if (verb === 'get' && subresource === '') {
    const gates = ['KubeletServiceAccountTokenForCredentialProviders', 'PodCertificateRequest'] as const;
    if (!gates.some(asked.gateEnabled)) return refused('not allowed to get service accounts');
    return following('serviceaccounts')(asked);
  }
  if (verb !== 'create' || name === '') return refused('can only create tokens for individual service accounts');
  if (subresource !== 'token') return refused('can only create token subresource of serviceaccount');
  return onlyRelated(asked, 'serviceaccounts');
}

/** Which lease is created depends on its body, which admission checks; so for all creates. */
function leases({ node, attributes }: Asked): Decision {
  const { verb, namespace, name } = attributes;
  if (!OWN_OBJECT_VERBS.has(verb)) return refused('can only get, create, update, patch, or delete a node lease');
  if (namespace !== NODE_LEASES) return refused(`can only access leases in the "${NODE_LEASES}" system namespace`);
  if (verb === 'create' || name === node) return ALLOWED;
  return refused('can only access node lease with the same name as the requesting node');
}

function storageNodes(asked: Asked): Decision {
  const { node, attributes, minor } = asked;
  const { verb, subresource, name } = attributes;
  if (subresource === 'status' && isSince({ minor }, 37)) return storageNodeStatus(asked);
  if (!OWN_OBJECT_VERBS.has(verb)) return refused('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refused('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOWED;
  return refused('can only access CSINode with the same name as the requesting node');
}

/** Where a node reports the health of its storage. */
function storageNodeStatus({ node, attributes: { verb, name }, gateEnabled }: Asked): Decision {
  if (!gateEnabled('CSIVolumeHealth')) return refused('CSINode status access requires CSIVolumeHealth feature');
  if (!['get', 'update', 'patch'].includes(verb)) return refused('can only get, update, or patch CSINode status');
  return name === node ? ALLOWED : refused('can only access CSINode with the same name as the requesting node');
}

function slices(asked: Asked): Decision {
  const { verb, subresource } = asked.attributes;
  if (subresource !== '') return refused('cannot authorize ResourceSlice subresources');
  switch (verb) {
    case 'create':
      return ALLOWED;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return onlyRelated(asked, 'resourceslices');
    case 'watch':
    case 'list':
    case 'deletecollection':
      if (pinsNode(asked, 'spec.nodeName')) return ALLOWED;
      return refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return refused(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

/** Where it is off, nodes may read all nodes and pods, by the common rules. */
const SELECTORS = 'AuthorizeNodeWithSelectors';

function nodes({ node, attributes, gateEnabled }: Asked): Decision | undefined {
  if (!gateEnabled(SELECTORS)) return undefined;
  const { verb, subresource, name } = attributes;
  if (subresource === 'status') return CHANGES.has(verb) ? ALLOWED : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  if (verb === 'create' || CHANGES.has(verb)) return ALLOWED;
  // By name rather than by relation: a kubelet looks up its node before it exists.
  if (!READS.has(verb)) return NO_OPINION;
  if (name === node) return ALLOWED;
  if (name === '') return refused(`node '${node}' cannot read all nodes, only its own Node object`);
  return refused(`node '${node}' cannot read '${name}', only its own Node object`);
}

function pods(asked: Asked): Decision | undefined {
  if (!asked.gateEnabled(SELECTORS)) return undefined;
  const { verb, subresource, name } = asked.attributes;
  if (subresource === 'status') return CHANGES.has(verb) ? ALLOWED : NO_OPINION;
  if (subresource === 'eviction') return verb === 'create' ? ALLOWED : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  if (verb === 'get') return onlyRelated(asked, 'pods');
  if (verb === 'create' || verb === 'delete') return ALLOWED;
  if (!READS.has(verb)) return NO_OPINION;
  if (pinsNode(asked, 'spec.nodeName')) return ALLOWED;
  if (name !== '') return onlyRelated(asked, 'pods');
  return refused('can only list/watch pods with spec.nodeName field selector');
}

function certificateRequests(asked: Asked): Decision {
  const { verb, subresource } = asked.attributes;
  if (!asked.gateEnabled('PodCertificateRequest')) return NO_OPINION;
  if (subresource !== '') return refused('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return ALLOWED;
  if (verb === 'get') return onlyRelated(asked, 'podcertificaterequests');
  if (!READS.has(verb)) return refused(`nodes may not ${verb} podcertificaterequests`);
  if (pinsNode(asked, 'spec.nodeName')) return ALLOWED;
  return refused('can only list/watch podcertificaterequests with nodeName field selector');
}

/** Whether the request's field selector only permits objects of the node. */
function pinsNode({ node, attributes }: Asked, field: string): boolean {
  return attributes.pinnedField?.(field) === node;
}

/** Rules for specific resources; all others are covered by the common rules. */
const RULES: Readonly<Record<string, Rule>> = lookup({
  '/secrets': following('secrets'),
  '/configmaps': following('configmaps'),
  '/persistentvolumeclaims': claims,
  '/persistentvolumes': reading('persistentvolumes'),
  'resource.k8s.io/resourceclaims': reading('resourceclaims'),
  'storage.k8s.io/volumeattachments': reading('volumeattachments'),
  '/serviceaccounts': accounts,
  'coordination.k8s.io/leases': leases,
  'storage.k8s.io/csinodes': storageNodes,
  'resource.k8s.io/resourceslices': slices,
  '/nodes': nodes,
  '/pods': pods,
  'certificates.k8s.io/podcertificaterequests': certificateRequests,
});
