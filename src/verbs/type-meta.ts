// Kind and apiVersion of what clients send, which may be anything.

import type { JsonObject } from '../api/object.ts';

/** What Kubernetes says of a custom resource that does not say its kind. @param text gives the object as messages quote it */
export function missingKind(object: JsonObject | null, text: () => string): string | undefined {
  return (object?.['kind'] ?? '') === '' ? `Object 'Kind' is missing in '${text()}'` : undefined;
}

/** The same of a custom resource whose apiVersion is there and null. */
export function nullVersion({ apiVersion }: JsonObject): string | undefined {
  return apiVersion === null ? '.apiVersion accessor error: <nil> is of the type <nil>, expected string' : undefined;
}
