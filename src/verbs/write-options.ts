// Parameters of writes: dryRun, fieldManager, fieldValidation and force, validated as in kube-apiserver.

import { errors, type FieldError, fieldError } from '../api/errors.ts';
import { isPrintable } from '../apply/field-manager.ts';
import { byteLength } from '../base/byte-length.ts';
import { limits } from '../base/limits.ts';
import { inReleaseWords } from './release-errors.ts';
import type { ResourceRequest } from './resource-request.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  /** Everything except storing. */
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  readonly fieldManager: string;
  /** An apply that takes over fields of other managers. */
  readonly force: boolean;
  readonly isApply: boolean;
}

/** The default options. */
export const NO_WRITE_OPTIONS: WriteOptions = {
  dryRun: false,
  fieldValidation: 'Warn',
  fieldManager: '',
  force: false,
  isApply: false,
};
/** The query of a request, and the release whose words its errors have. */
interface OptionsRequest {
  readonly query: ResourceRequest['query'];
  readonly definition: Pick<ResourceRequest['definition'], 'minor'>;
}

const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * @param kind of the options, for error messages
 * @param isApply whether the write is an apply, the only one that may force
 * @throws ApiError 422
 */
export function writeOptions(
  { query, definition: { minor } }: OptionsRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  isApply = false,
): WriteOptions {
  if (query.empty && !isApply) return NO_WRITE_OPTIONS;
  const found: FieldError[] = [];
  const force = query.optionalFlag('force');
  if (kind === 'PatchOptions' && !isApply && force !== undefined) {
    found.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  }
  const fieldManager = query.text('fieldManager');
  if (isApply && fieldManager === '') found.push(fieldError.required('fieldManager', 'is required for apply patch'));
  found.push(...fieldManagerErrors(fieldManager));
  const dryRunValues = query.all('dryRun');
  found.push(...dryRunErrors(dryRunValues));
  const fieldValidation = query.text('fieldValidation');
  if (!VALIDATIONS.includes(fieldValidation)) {
    found.push(fieldError.notSupported('fieldValidation', fieldValidation, VALIDATIONS));
  }
  if (found.length > 0) {
    const type = { group: 'meta.k8s.io', kind };
    throw errors.invalid({ ...type, name: '' }, inReleaseWords(found, { minor, custom: false, ...type }));
  }
  return {
    dryRun: isDryRun(dryRunValues),
    fieldManager,
    force: force === true,
    isApply,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
  };
}

export function isDryRun(values: readonly string[]): boolean {
  return values.includes('All');
}

export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [fieldError.notSupported('dryRun', values, ['All'])];
}

/** Options are judged before the body is read. @throws ApiError 422 */
export function checkWriteOptions(request: ResourceRequest, kind: 'CreateOptions' | 'UpdateOptions'): void {
  if (!request.query.empty) writeOptions(request, kind);
}

function fieldManagerErrors(fieldManager: string): FieldError[] {
  const found: FieldError[] = [];
  if (byteLength(fieldManager) > limits.fieldManagerBytes) {
    found.push(fieldError.tooLong('fieldManager', limits.fieldManagerBytes));
  }
  let position = 0;
  for (const character of fieldManager) {
    if (!isPrintable(character)) {
      const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      found.push(
        fieldError.invalid('fieldManager', fieldManager, `invalid character U+${point} (at position ${position})`),
      );
    }
    position += character.length;
  }
  return found;
}
