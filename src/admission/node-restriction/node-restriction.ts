// The plugin NodeRestriction: a node may only write its own objects. The node authorizer permits writes whose ownership
// depends on the content of the object; this plugin checks that content. Users that are not nodes are not restricted.

import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { NODE_LEASES, nodeNameOf, nodeUserName } from '../../auth/node-identity.ts';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import type { Soon } from '../../base/soon.ts';
import { objectAt } from '../../resources/fill-in.ts';
import { CertificateRequestError, certificateRequestSubject } from '../../resources/validation/certificate-request.ts';
import { textAt } from '../../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import { admitCertificateRequest } from './certificate-requests.ts';
import { type NodeRestrictionNeeds, type NodeWrite, nameOf } from './node-write.ts';
import { admitNode } from './nodes.ts';
import { admitPod } from './pods.ts';
import { admitToken } from './tokens.ts';

export function nodeRestriction(needs: NodeRestrictionNeeds): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    admit(admission) {
      const { definition, user } = admission.request;
      if (admission.operation === 'connect') return;
      const node = nodeNameOf(user);
      if (node === undefined) return;
      if (node === '') throw refusal(admission, `could not determine node from user ${goQuote(user.name)}`);
      return RULES[`${definition.group}/${definition.resource}`]?.({ node, admission, needs });
    },
  };
}

const KUBELET_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

const RULES: Readonly<Record<string, (write: NodeWrite) => Soon<void>>> = lookup({
  '/pods': admitPod,
  '/nodes': admitNode,
  '/persistentvolumeclaims': admitClaim,
  '/serviceaccounts': admitToken,
  'certificates.k8s.io/podcertificaterequests': admitCertificateRequest,
  'coordination.k8s.io/leases': admitLease,
  'storage.k8s.io/csinodes': admitStorageNode,
  'resource.k8s.io/resourceslices': admitSlice,
  'certificates.k8s.io/certificatesigningrequests': admitSigningRequest,
});

function admitClaim({ node, admission }: NodeWrite): void {
  const { request, operation, object, previous } = admission;
  if (request.subresource !== 'status') throw refusal(admission, 'may only update PVC status');
  if (operation !== 'update') throw refusal(admission, `unexpected operation ${goQuote(operation.toUpperCase())}`);
  if (equalJson(withoutReport(object), withoutReport(previous))) return;
  const why = `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
  throw refusal(admission, why);
}

/** A claim without the fields that a node may update. */
function withoutReport(claim: ApiObject | undefined): JsonObject {
  const copy = copyJson(claim ?? {}) as JsonObject;
  const metadata = objectAt(copy, 'metadata') ?? {};
  for (const member of ['resourceVersion', 'managedFields']) delete metadata[member];
  const status = objectAt(copy, 'status') ?? {};
  for (const member of REPORTED) delete status[member];
  copy['status'] = status;
  return copy;
}

const REPORTED = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

function admitLease({ node, admission }: NodeWrite): void {
  if (admission.request.namespace !== NODE_LEASES) {
    throw refusal(admission, `can only access leases in the "${NODE_LEASES}" system namespace`);
  }
  if (nameOf(admission) === node) return;
  throw refusal(admission, 'can only access node lease with the same name as the requesting node');
}

function admitStorageNode(write: NodeWrite): void {
  const { node, admission } = write;
  if (nameOf(admission) !== node) {
    throw refusal(admission, 'can only access CSINode with the same name as the requesting node');
  }
  if (admission.request.subresource === 'status') admitStorageReport(write);
}

/** Where a node reports the health of its storage. */
function admitStorageReport({ node, admission, needs }: NodeWrite): void {
  const { operation, object, previous } = admission;
  if (!needs.gateEnabled('CSIVolumeHealth')) throw refusal(admission, 'CSIVolumeHealth feature gate is disabled');
  if (operation !== 'update') throw refusal(admission, `unexpected operation ${goQuote(operation.toUpperCase())}`);
  if (equalJson(object?.spec ?? null, previous?.spec ?? null)) return;
  throw refusal(admission, `node ${goQuote(node)} is not allowed to modify CSINode spec via status`);
}

function admitSlice({ node, admission }: NodeWrite): void {
  const { operation, object, previous } = admission;
  if (operation === 'update') return;
  const slice = operation === 'create' ? object : previous;
  if (textAt(slice, 'spec', 'nodeName') === node) return;
  throw refusal(admission, `can only ${operation} ResourceSlice with the same NodeName as the requesting node`);
}

function admitSigningRequest({ node, admission, needs }: NodeWrite): void {
  const { operation, object } = admission;
  if (operation !== 'create' || needs.gateEnabled('AllowInsecureKubeletCertificateSigningRequests')) return;
  if (!KUBELET_SIGNERS.includes(textAt(object, 'spec', 'signerName'))) return;
  if (requestedName(admission) !== nodeUserName(node)) {
    throw refusal(admission, `can only create a node CSR with CN=${nodeUserName(node)}`);
  }
}

/** The common name in a certificate request. @throws ApiError for a request that cannot be parsed */
function requestedName(admission: AdmissionRequest): string {
  try {
    return certificateRequestSubject(atob(textAt(admission.object, 'spec', 'request'))).commonName;
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error;
    throw refusal(admission, `unable to parse csr: ${error.message}`);
  }
}
