// Conditions of a terminating namespace: what has been done, and what blocks its deletion. Their messages are exactly
// Kubernetes', because people and tools read them.

import type { ApiObject } from '../api/object.ts';
import { type Condition, setCondition } from '../resources/conditions.ts';

/** The result of an attempt to empty a namespace. */
export interface ContentReport {
  /** Remaining objects, by resource as in messages: `configmaps.`, `deployments.apps`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Number of remaining objects for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: readonly string[];
  /** Group versions of servers whose content is unknown: `x.io/v1`. */
  readonly undiscovered?: readonly string[];
}

/** Updates the conditions from the report. Returns whether anything changed; modifies the namespace. */
export function reportContent(namespace: ApiObject, report: ContentReport, now: string): boolean {
  let changed = false;
  for (const condition of conditionsOf(report)) changed = setCondition(namespace, condition, now) || changed;
  return changed;
}

function discoveryCondition(undiscovered: readonly string[]): Condition {
  const type = 'NamespaceDeletionDiscoveryFailure';
  if (undiscovered.length === 0) {
    return { type, status: 'False', reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' };
  }
  const groups = [...undiscovered].sort().map((each) => `${each}: stale GroupVersion discovery: ${each}`);
  const incomplete = `unable to retrieve the complete list of server APIs: ${groups.join(', ')}`;
  const message = `Discovery failed for some groups, ${undiscovered.length} failing: ${incomplete}`;
  return { type, status: 'True', reason: 'DiscoveryFailed', message };
}

function conditionsOf({ remaining, finalizers, failures, undiscovered = [] }: ContentReport): Condition[] {
  return [
    discoveryCondition(undiscovered),
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      status: 'False',
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    },
    failures.length === 0
      ? {
          type: 'NamespaceDeletionContentFailure',
          status: 'False',
          reason: 'ContentDeleted',
          message: 'All content successfully deleted, may be waiting on finalization',
        }
      : {
          type: 'NamespaceDeletionContentFailure',
          status: 'True',
          reason: 'ContentDeletionFailed',
          message: `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
        },
    {
      type: 'NamespaceContentRemaining',
      ...(remaining.size === 0
        ? { status: 'False', reason: 'ContentRemoved', message: 'All content successfully removed' }
        : {
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${counted(remaining, (name, count) => `${name} has ${count} resource instances`)}`,
          }),
    },
    {
      type: 'NamespaceFinalizersRemaining',
      ...(finalizers.size === 0
        ? {
            status: 'False',
            reason: 'ContentHasNoFinalizers',
            message: 'All content-preserving finalizers finished',
          }
        : {
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${counted(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
          }),
    },
  ];
}

function counted(counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => text(name, count))
    .join(', ');
}
