// Plugins that only look at what is about to be stored, in front of the one that also notes it: so there is nothing to
// take back when one of them refuses.

import { isLater, type Soon } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest, PendingWrite, ValidatingPlugin } from './chain.ts';

/**
 * @param checks in the order in which they are asked; they change nothing
 * @param last is asked when none of them has refused
 */
export function afterChecks(checks: readonly AdmissionPlugin[], last: ValidatingPlugin): ValidatingPlugin {
  const validate = (admission: AdmissionRequest, write: PendingWrite): Soon<void> => {
    for (let index = 0; index < checks.length; index++) {
      const checking = (checks[index] as AdmissionPlugin).admit(admission);
      // Those that have nothing to look up keep nobody waiting.
      if (isLater(checking)) return rest(checking, { admission, write, checks: checks.slice(index + 1), last });
    }
    return last.validate(admission, write);
  };
  return { name: last.name, validate };
}

interface Rest {
  readonly admission: AdmissionRequest;
  readonly write: PendingWrite;
  readonly checks: readonly AdmissionPlugin[];
  readonly last: ValidatingPlugin;
}

async function rest(checking: Promise<void>, { admission, write, checks, last }: Rest): Promise<void> {
  await checking;
  for (const check of checks) await check.admit(admission);
  return last.validate(admission, write);
}
