// The plugin ResourceQuota: charges objects to the quotas of their namespace before they are stored, and rejects those
// that exceed a quota. Limits and usage are in a quota's status; the quota controller copies the limits there and
// recounts usage.

import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionRequest, PendingWrite, ValidatingPlugin } from './chain.ts';
import { evaluatorOf } from './quota/evaluators.ts';
import { checkCovered, type LimitedResource } from './quota/limited-resources.ts';
import { QuotaCharges, type QuotaLedger } from './quota/quota-charges.ts';
import { isCounted } from './quota/quota-check.ts';

/** @param limited resources that can only be consumed if a quota covers them */
export function resourceQuota(ledger: QuotaLedger, limited: readonly LimitedResource[] = []): ValidatingPlugin {
  const charges = new QuotaCharges(ledger);
  const count = (admission: AdmissionRequest, write: PendingWrite, quotas: readonly ApiObject[]): Soon<void> => {
    const { object, request } = admission;
    const evaluator = evaluatorOf(request.definition);
    if (object === undefined || evaluator?.charges(admission) !== true) return;
    const demand = { admission, object, evaluator };
    if (limited.length > 0) checkCovered(quotas, demand, limited);
    // The others are synchronous.
    if (!quotas.some((quota) => isCounted(quota, demand))) return;
    return charges.charge(request.namespace, demand).then((undo) => {
      if (undo !== undefined) write.undoUnlessStored(undo);
    });
  };
  return {
    name: 'ResourceQuota',
    validate(admission, write) {
      const { namespace, definition } = admission.request;
      if (namespace === '' || !definition.namespaced) return;
      return whenThere(ledger.quotas(namespace), (quotas) => count(admission, write, quotas));
    },
  };
}
