// Messages for JSON patch operations that do not apply, in the words of Kubernetes' library: admission policies report
// them to clients.

import type { ApiError } from '../api/errors.ts';
import type { Json } from '../api/object.ts';
import { lookup } from '../base/lookup.ts';
import { type Misfit, NoContainer, type Pointer } from './document-draft.ts';

/** A decoded operation of a patch, which may not apply to any document. */
export type JsonPatchOperation = ValidOperation | { readonly op: 'invalid'; readonly error: ApiError };

export type ValidOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

/** The message for an operation that does not fit its document. */
export function misfitText(operation: ValidOperation, misfit: Misfit): string {
  const { op } = operation;
  const path = pathText(operation.path);
  const { isSource } = misfit;
  if (misfit instanceof NoContainer) {
    return missingPathText(
      op,
      isSource && 'from' in operation ? { name: 'from', path: pathText(operation.from) } : { name: 'path', path },
    );
  }
  switch (operation.op) {
    case 'replace':
      return `replace operation does not apply: doc is missing key: ${path}: missing value`;
    case 'move':
      return `error in move for path: '${isSource ? operation.from.at(-1) : path}': ${misfit.message}`;
    case 'copy':
      if (isSource) return `error in copy for from: '${pathText(operation.from)}': ${misfit.message}`;
      return `error while adding value during copy: ${misfit.message}`;
    default:
      return `error in ${op} for path: '${path}': ${misfit.message}`;
  }
}

const MISSING: Readonly<Record<string, string>> = lookup({
  'test path': 'is missing path',
  'move from': 'doc is missing from path',
  'copy from': 'doc is missing from path',
  'move path': 'doc is missing destination path',
  'copy path': 'doc is missing destination path',
});

/** The message for an operation whose path does not exist. @param name of the member with the path */
export function missingPathText(op: string, { name, path }: { name: 'path' | 'from'; path: string }): string {
  const quoted = op === 'add' || op === 'remove' ? `"${path}"` : path;
  return `${op} operation does not apply: ${MISSING[`${op} ${name}`] ?? 'doc is missing path'}: ${quoted}: missing value`;
}

/** The message for an operation without a path, or a move or copy without a source. */
export function missingMemberText(op: string, name: 'path' | 'from'): string {
  const what = name === 'from' ? 'operation, missing from field: ' : '';
  return `${op} operation failed to decode ${name}: ${what}missing value`;
}

/** A pointer in text form. */
export function pathText(pointer: Pointer): string {
  return pointer.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
