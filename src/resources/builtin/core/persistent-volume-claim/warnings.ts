// Warnings of persistent volume claims, also of those that pods have as templates: sizes come in whole bytes.

import type { ApiObject, Json } from '../../../../api/object.ts';
import { isFractional } from '../../../validation/quantities.ts';
import { at } from '../../../value.ts';
import { storageClassWarnings } from '../persistent-volume/validation.ts';

export function claimWarnings(claim: ApiObject): string[] {
  return [...storageClassWarnings(claim), ...claimSpecWarnings(at(claim, 'spec'), 'spec')];
}

/** @param field where the spec stands: `spec` */
export function claimSpecWarnings(spec: Json | undefined, field: string): string[] {
  const found: string[] = [];
  for (const list of ['requests', 'limits']) {
    const size = at(spec, 'resources', list, 'storage');
    if (size === undefined || !isFractional(String(size))) continue;
    const what = `fractional byte value ${JSON.stringify(size)} is invalid, must be an integer`;
    found.push(`${field}.resources.${list}[storage]: ${what}`);
  }
  return found;
}
