// Reasons of errors that are ordinary for those who write, because others write at the same time.

import { ApiError } from './errors.ts';

/** The object is gone, or is not the one that was meant. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404;
}

/** An object of that name exists. */
export function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'AlreadyExists';
}

/** Another one has changed the object, or it is another object of that name. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Conflict';
}

/** Nothing can be created in a namespace that is being deleted: the object will not be missed. */
export function isEnding(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 403) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
