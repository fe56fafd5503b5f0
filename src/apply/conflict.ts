// The 409 of an apply that would change fields of other managers: one cause per field, one paragraph per manager.

import { ApiError } from '../api/errors.ts';
import { pathTexts } from './field-set.ts';
import { compareNames, type Manager } from './managers.ts';
import type { Conflict } from './ownership.ts';

/** An apply with conflicts, which are in `conflicts`. */
export class ConflictError extends Error {
  override name = 'ConflictError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('fields of other managers would change');
    this.conflicts = conflicts;
  }

  /** The error for clients. */
  get answer(): ApiError {
    const sorted = [...this.conflicts].sort((one, other) => compareNames(one.manager, other.manager));
    const groups = sorted.map(({ manager, fields }) => ({ manager: managerText(manager), paths: pathTexts(fields) }));
    const causes = groups.flatMap(({ manager, paths }) =>
      paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
    );
    const first = causes[0];
    const message =
      causes.length === 1 && first !== undefined
        ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
        : `Apply failed with ${causes.length} conflicts: ${groups.map(paragraph).join('\n')}`;
    return new ApiError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }
}

function paragraph({ manager, paths }: { manager: string; paths: readonly string[] }): string {
  return [`conflicts with ${manager}:`, ...paths.map((path) => `- ${path}`)].join('\n');
}

function managerText({ name, operation, subresource, apiVersion }: Manager): string {
  const where = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${where}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
