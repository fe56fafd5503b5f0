// Controller that approves the requests of kubelets for client certificates, if whoever asks may have one.

import { ControlledObjects } from '../../controllers/controlled-objects.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { CertificateSigningRequest } from '../../resources/builtin/certificates/v1-objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf, reconciler } from '../reconciler.ts';
import { KUBELET_CLIENT, kubeletOf } from './signer-rules.ts';

const GROUP = 'certificates.k8s.io';
const RESOURCE = 'certificatesigningrequests';
/** How long to wait for a permission. */
const AGAIN_MS = 60_000;

/** The permissions that suffice, and how an approval is explained. */
const SELF = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const OTHER = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

export function certificateApprovingController(context: ClusterContext): Controller {
  const objects = new ControlledObjects(context, 'certificate-controller');
  return reconciler(context, {
    name: 'certificatesigningrequest-approving-controller',
    async begin(keys) {
      const requests = await context.informers.open<CertificateSigningRequest>(GROUP, RESOURCE);
      requests.follow({ changed: (request) => isOpen(request) && keys.add(keyOf(request)) });
      return async (name) => {
        const request = requests.get('', name);
        if (request === undefined || !isOpen(request)) return undefined;
        const commonName = kubeletOf(request);
        if (commonName === undefined) return undefined;
        const ways = commonName === request.spec?.username ? [SELF, OTHER] : [OTHER];
        for (const { subresource, message } of ways) {
          if (!(await isAllowed(context, request, subresource))) continue;
          const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
          const place = { definition: requests.definition, namespace: '', name };
          await objects.change(
            place,
            (object) => {
              const draft = object as CertificateSigningRequest;
              if (draft.metadata.uid !== request.metadata.uid || !isOpen(draft)) return false;
              const conditions = [...(draft.status?.conditions ?? []), approved];
              Object.assign(object, { status: { ...draft.status, conditions } });
              return true;
            },
            'approval',
          );
          return undefined;
        }
        return AGAIN_MS;
      };
    },
  });
}

/** Whether nobody has decided about the request of a kubelet. */
function isOpen({ spec, status }: CertificateSigningRequest): boolean {
  if (spec?.signerName !== KUBELET_CLIENT || (status?.certificate ?? '') !== '') return false;
  return status?.conditions?.some(({ type }) => type === 'Approved' || type === 'Denied') !== true;
}

async function isAllowed(
  { settings }: ClusterContext,
  { spec }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const extra = Object.entries(spec?.extra ?? {}).map(([name, values]) => [name, [...(values ?? [])]]);
  const user = {
    name: spec?.username ?? '',
    uid: spec?.uid ?? '',
    groups: [...(spec?.groups ?? [])],
    extra: Object.fromEntries(extra) as Record<string, string[]>,
  };
  const asked = { group: GROUP, version: '*', resource: RESOURCE, subresource, namespace: '', name: '', path: '' };
  const decision = await settings.authorizer.authorize({ user, verb: 'create', isResourceRequest: true, ...asked });
  return decision.allowed;
}
