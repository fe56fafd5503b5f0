// The plugin ResourceQuota: what the quotas of a namespace count is counted before it is stored, and refused where it
// would be too much. A quota says by its status what it limits and what is used; somebody else sets the former and
// counts again what is gone.

import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionRequest, PendingWrite, ValidatingPlugin } from './chain.ts';
import { evaluatorOf } from './quota/evaluators.ts';
import { checkCovered, type LimitedResource } from './quota/limited-resources.ts';
import { QuotaCharges, type QuotaLedger } from './quota/quota-charges.ts';
import { isCounted } from './quota/quota-check.ts';

/** @param limited what can be consumed only where a quota covers it */
export function resourceQuota(ledger: QuotaLedger, limited: readonly LimitedResource[] = []): ValidatingPlugin {
  const charges = new QuotaCharges(ledger);
  const count = (admission: AdmissionRequest, write: PendingWrite, quotas: readonly ApiObject[]): Soon<void> => {
    const { object, request } = admission;
    const evaluator = evaluatorOf(request.definition);
    if (object === undefined || evaluator?.charges(admission) !== true) return;
    const demand = { admission, object, evaluator };
    if (limited.length > 0) checkCovered(quotas, demand, limited);
    // The others wait for nobody.
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
