// Combination of checks with a plugin that also records something: the checks run first, so that there is nothing to
// undo if one of them rejects the request.

import { isLater, type Soon } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest, PendingWrite, ValidatingPlugin } from './chain.ts';

/**
 * @param checks in order; they record nothing
 * @param last runs if none of them rejects
 */
export function afterChecks(checks: readonly AdmissionPlugin[], last: ValidatingPlugin): ValidatingPlugin {
  const validate = (admission: AdmissionRequest, write: PendingWrite): Soon<void> => {
    for (let index = 0; index < checks.length; index++) {
      const checking = (checks[index] as AdmissionPlugin).admit(admission);
      // Checks that look nothing up are synchronous.
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
