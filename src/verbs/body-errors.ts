// Errors for bodies that are not objects of the path's kind and version.

import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { registeredPackage } from '../resources/builtin/registered-kinds.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** A body without a kind; the reason alone is the error's cause. */
export function unrecognized(kind: string, why: string, excerpt: string): ApiError {
  const quoted = excerpt === '' ? '' : ` (${excerpt})`;
  const message = `the object provided is unrecognized (must be of type ${kind}): ${why}${quoted}`;
  return errors.badRequest(message, undefined, why);
}

/** A body of an impossible or wrong kind; the reason alone is the error's cause. */
export function unreadable(found: {
  kind: string;
  apiVersion: string;
  definition: Pick<ResourceDefinition, 'kind'>;
  why: string;
}): ApiError {
  const version = parseApiVersion(found.apiVersion)?.version ?? found.apiVersion;
  return errors.badRequest(
    `${found.kind} in version ${JSON.stringify(version)} cannot be handled as a ${found.definition.kind}: ${found.why}`,
    undefined,
    found.why,
  );
}

/** A body of another version than the path's. */
export function otherVersion(apiVersion: string, expected: string): ApiError {
  return errors.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** A custom resource of another kind than the path's. */
export function otherKind({ group, kind }: ResourceDefinition, found: string, name: string): ApiError {
  return errors.invalid({ group, kind: found, name }, [fieldError.invalid('kind', found, `must be ${kind}`)]);
}

/**
 * Why an object of another built-in kind, or of none, does not match the path. The messages contain Kubernetes'
 * internal names.
 */
export function otherType(
  definition: ResourceDefinition,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): string {
  // The scheme of the Scale of custom resources, the only definition with paths of replicas, has no other kinds.
  const isCustomScale = definition.scale !== undefined;
  const isForeign = isCustomScale && kind !== definition.kind;
  const found = isForeign ? undefined : registeredPackage(definition.group, { kind, apiVersion }, definition.minor);
  if (found === undefined) return unregisteredKind(kind, apiVersion, definition.minor);
  const internal = isCustomScale ? 'v1' : definition.group === '' ? 'core' : definition.group.split('.')[0];
  return `converting (${found}.${kind}) to (${internal}.${definition.kind}): unknown conversion`;
}

/** The name of an object, '' without one. */
export function nameIn(value: unknown): string {
  const { metadata } = (value ?? {}) as { metadata?: { name?: unknown } | null };
  return typeof metadata?.name === 'string' ? metadata.name : '';
}
