// Warnings for PersistentVolumeClaims and claim templates: sizes with fractional bytes.

import { isFractional } from '../../../validation/quantities.ts';
import { storageClassWarnings } from '../persistent-volume/validation.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from './objects.ts';

export function claimWarnings(claim: PersistentVolumeClaim): string[] {
  return [...storageClassWarnings(claim), ...claimSpecWarnings(claim.spec, 'spec')];
}

/** @param field path of the spec: `spec` */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, field: string): string[] {
  const found: string[] = [];
  for (const list of ['requests', 'limits'] as const) {
    const size = spec?.resources?.[list]?.['storage'];
    if (size === undefined || !isFractional(size)) continue;
    const what = `fractional byte value ${JSON.stringify(size)} is invalid, must be an integer`;
    found.push(`${field}.resources.${list}[storage]: ${what}`);
  }
  return found;
}
