// Controller that signs approved certificate requests, for the signers of Kubernetes.

import { timestamp } from '../../api/timestamp.ts';
import type { Controller } from '../../controllers/controller.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../resources/builtin/certificates/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf, reconciler } from '../reconciler.ts';
import { isSigner, pemOf, signingFault } from './signer-rules.ts';

/** kube-controller-manager's --cluster-signing-duration, and the bounds of what a request may ask for. */
const LONGEST_MS = 365 * 86_400_000;
const SHORTEST_MS = 600_000;
/** Clients whose clocks are slightly slow accept new certificates too. */
const BACKDATED_MS = 300_000;
/** Certificates that live longer end as much earlier. */
const SHORT_MS = 8 * 3_600_000;

export function certificateSigningController(context: ClusterContext): Controller {
  const { clock, settings } = context;
  const objects = new ClusterObjects(context, 'certificate-controller');
  return reconciler(context, {
    name: 'certificatesigningrequest-signing-controller',
    async begin(keys) {
      const requests = await context.informers.open<CertificateSigningRequest>(
        'certificates.k8s.io',
        'certificatesigningrequests',
      );
      requests.follow({ changed: (request) => isWaiting(request) && keys.add(keyOf(request)) });
      return async (name) => {
        const request = requests.get('', name);
        if (request === undefined || !isWaiting(request)) return undefined;
        const nowMs = clock.now();
        const fault = signingFault(request);
        const certificate =
          fault === undefined
            ? await settings.signer?.({
                requestPem: pemOf(request),
                usages: request.spec?.usages ?? [],
                ...lifeOf(request, nowMs),
              })
            : undefined;
        if (fault === undefined && certificate === undefined) return undefined;
        const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: fault ?? '' };
        await objects.updateStatus(requests, request, (draft) => {
          if (!isWaiting(draft as CertificateSigningRequest)) return false;
          const conditions = [...(draft.status?.conditions ?? []), { ...failed, lastUpdateTime: timestamp(nowMs) }];
          draft.status =
            certificate === undefined
              ? { ...draft.status, conditions }
              : { ...draft.status, certificate: btoa(certificate) };
          return true;
        });
        return undefined;
      };
    },
  });
}

/** Whether a request is approved, and neither signed nor failed. */
function isWaiting({ spec, status }: CertificateSigningRequest): boolean {
  if (!isSigner(spec?.signerName ?? '') || (status?.certificate ?? '') !== '') return false;
  return isApproved(status?.conditions) && !has(status?.conditions, 'Failed');
}

type Conditions = readonly CertificateSigningRequestCondition[] | undefined;

function isApproved(conditions: Conditions): boolean {
  return has(conditions, 'Approved') && !has(conditions, 'Denied');
}

function has(conditions: Conditions, type: string): boolean {
  return conditions?.some((each) => each.type === type && (each.status ?? 'True') !== 'False') === true;
}

function lifeOf({ spec }: CertificateSigningRequest, nowMs: number) {
  const asked = spec?.expirationSeconds;
  const ttlMs = asked === undefined ? LONGEST_MS : Math.min(Math.max(asked * 1000, SHORTEST_MS), LONGEST_MS);
  return {
    notBeforeMs: nowMs - BACKDATED_MS,
    notAfterMs: nowMs + ttlMs - (ttlMs < SHORT_MS ? 0 : BACKDATED_MS),
  };
}
