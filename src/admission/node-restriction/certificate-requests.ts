// NodeRestriction for certificate requests: a node may only request certificates for pods that run on it, with correct
// data.

import { type ApiError, errors } from '../../api/errors.ts';
import { isMirrorPod } from '../../api/mirror-pods.ts';
import type { ApiObject } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { lookup } from '../../base/lookup.ts';
import { isSince } from '../../lifecycle/version.ts';
import { listAt, textAt } from '../../resources/value.ts';
import { refusal } from '../concerns.ts';
import type { ResourceName } from '../object-lookup.ts';
import { ACCOUNTS } from '../resources.ts';
import { type NodeWrite, permission } from './node-write.ts';

export async function admitCertificateRequest(write: NodeWrite): Promise<void> {
  const { node, admission, needs } = write;
  const { request, operation, object } = admission;
  if (!needs.gateEnabled('PodCertificateRequest')) {
    throw refusal(admission, 'PodCertificateRequest feature gate is disabled');
  }
  if (operation !== 'create') throw refusal(admission, `unexpected operation ${operation.toUpperCase()}`);
  if (request.subresource !== '') throw refusal(admission, `unexpected subresource ${request.subresource}`);
  const said = (member: string) => textAt(object, 'spec', member);
  if (said('nodeName') !== node) {
    const why = `PodCertificateRequest.Spec.NodeName=${goQuote(said('nodeName'))}, which is not the requesting node ${goQuote(node)}`;
    throw refusal(admission, why);
  }
  const place = `${request.namespace}/${said('podName')}`;
  const own = await named(write, { group: '', resource: 'nodes' }, ['', node]);
  if (own.metadata.uid !== said('nodeUID')) {
    throw inconsistent(place, `names node UID ${goQuote(said('nodeUID'))}, inconsistent with the running node`, own);
  }
  const pod = await named(write, { group: '', resource: 'pods' }, [request.namespace, said('podName')]);
  if (pod.metadata.uid !== said('podUID')) {
    throw inconsistent(place, `contains pod UID (${goQuote(said('podUID'))}) which differs from running pod`, pod);
  }
  checkPod(write, pod, place);
  const account = await named(write, ACCOUNTS, [request.namespace, said('serviceAccountName')]);
  if (account.metadata.uid !== said('serviceAccountUID')) {
    const why = `names service account UID ${goQuote(said('serviceAccountUID'))}, which differs from the running service account`;
    throw inconsistent(place, why, account);
  }
  if (isSince(request.definition, 37)) await checkSigner(write, pod);
}

/** A certificate is for a volume of the pod, or for a signer that the node was granted. */
async function checkSigner(write: NodeWrite, pod: ApiObject): Promise<void> {
  const { admission } = write;
  const { request, object } = admission;
  const said = (member: string) => textAt(object, 'spec', member);
  const signer = said('signerName');
  const sources = listAt(pod, 'spec', 'volumes').flatMap((volume) => listAt(volume, 'projected', 'sources'));
  if (sources.some((source) => textAt(source, 'podCertificate', 'signerName') === signer)) return;
  // Rules of RBAC have no slash in the name of a resource.
  const resource = signer.replaceAll('/', ':');
  const asked = { verb: 'request-serviceaccounts-podcertificate-signer', resource, name: said('serviceAccountName') };
  const { allowed, error = '' } = await permission(write, asked);
  if (allowed) return;
  if (error !== '') {
    const why = `error authorizing ${request.user.name} to request podcertificaterequests for signer ${goQuote(signer)}`;
    throw refusal(admission, `${why}: ${error}`);
  }
  const place = goQuote(`${request.namespace}/${said('podName')}`);
  const why = `pod ${place} does not mount a podCertificate projected volume for signer ${goQuote(signer)}`;
  throw refusal(admission, why);
}

const KINDS: Readonly<Record<string, string>> = lookup({
  nodes: 'node',
  pods: 'pod',
  serviceaccounts: 'service account',
});

/** An object named in the request. A missing one may appear soon, so a retry can help. */
async function named(
  { needs }: NodeWrite,
  kind: ResourceName,
  [namespace, name]: readonly [string, string],
): Promise<ApiObject> {
  const found = await needs.objects.find(kind, namespace, name);
  if (found !== undefined) return found;
  const place = goQuote(namespace === '' ? name : `${namespace}/${name}`);
  const missing = errors.notFound({ ...kind, name }).message;
  const what = `while retrieving ${KINDS[kind.resource]} ${place} named in the PodCertificateRequest`;
  throw errors.unexplained(`${what}: ${missing}`);
}

function inconsistent(place: string, how: string, { metadata }: ApiObject): ApiError {
  return errors.unexplained(`PodCertificateRequest for pod ${goQuote(place)} ${how} (${goQuote(metadata.uid ?? '')})`);
}

function checkPod({ node, admission }: NodeWrite, pod: ApiObject, place: string): void {
  if (textAt(pod, 'spec', 'nodeName') !== node) {
    const why = `pod ${goQuote(place)} is not running on node ${goQuote(node)} named in the PodCertificateRequest`;
    throw refusal(admission, why);
  }
  if (isMirrorPod(pod)) {
    throw refusal(admission, `pod ${goQuote(place)} is a mirror pod`);
  }
  const said = textAt(admission.object, 'spec', 'serviceAccountName');
  const running = textAt(pod, 'spec', 'serviceAccountName');
  if (said === running) return;
  const why = `PodCertificateRequest for pod ${goQuote(place)} contains serviceAccountName (${goQuote(said)}) that differs from running pod (${goQuote(running)})`;
  throw refusal(admission, why);
}
