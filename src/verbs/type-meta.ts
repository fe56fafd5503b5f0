// Kind and apiVersion in requests, which may be anything.

import type { JsonObject } from '../api/object.ts';

/** Kubernetes' error for a custom resource without a kind. @param text returns the object as messages quote it */
export function missingKind(object: JsonObject | null, text: () => string): string | undefined {
  return (object?.['kind'] ?? '') === '' ? `Object 'Kind' is missing in '${text()}'` : undefined;
}

/** The same for a custom resource whose apiVersion is null. */
export function nullVersion({ apiVersion }: JsonObject): string | undefined {
  return apiVersion === null ? '.apiVersion accessor error: <nil> is of the type <nil>, expected string' : undefined;
}

/** The error for an apiVersion with more than one slash. */
export function unexpectedVersion(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}
