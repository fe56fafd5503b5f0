// Deletion of a namespace's content: pods before everything else; what remains is counted. A resource without objects
// in the namespace costs one lookup.

import { ApiError } from '../api/errors.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Registry } from '../verbs/registry.ts';
import { metadataIn } from '../verbs/stored-form.ts';
import type { ControlledObjects } from './controlled-objects.ts';
import type { ContentReport } from './namespace-conditions.ts';

interface EmptiedNamespace extends ContentReport {
  /** The resources of remaining objects. */
  readonly held: readonly ResourceDefinition[];
}

export interface NamespaceContent {
  readonly registry: Registry;
  readonly objects: ControlledObjects;
  /** Every namespaced resource, without duplicates. */
  readonly definitions: readonly ResourceDefinition[];
  readonly namespace: string;
}

/** Deletes the content. Failures are reported, not thrown. */
export async function emptyNamespace(content: NamespaceContent): Promise<EmptiedNamespace> {
  const report = {
    remaining: new Map<string, number>(),
    finalizers: new Map<string, number>(),
    failures: [],
    held: [],
  };
  if (!content.registry.gateEnabled('OrderedNamespaceDeletion')) {
    await deleteOf(content, content.definitions, report);
    return report;
  }
  const [pods, others] = partition(content.definitions, ({ group, resource }) => group === '' && resource === 'pods');
  await deleteOf(content, pods, report);
  // What a pod uses, such as ConfigMaps and Secrets, exists as long as the pod.
  if (report.remaining.size === 0) await deleteOf(content, others, report);
  return report;
}

interface Report {
  readonly remaining: Map<string, number>;
  readonly finalizers: Map<string, number>;
  readonly failures: string[];
  readonly held: ResourceDefinition[];
}

async function deleteOf(content: NamespaceContent, definitions: readonly ResourceDefinition[], report: Report) {
  const { registry, objects, namespace } = content;
  for (const definition of definitions) {
    if (!(await registry.hasObjects(definition, namespace))) continue;
    try {
      await objects.deleteAll(definition, namespace);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      report.failures.push(error.message);
    }
    await countRemaining(content, definition, report);
  }
}

async function countRemaining(
  { registry, namespace }: NamespaceContent,
  definition: ResourceDefinition,
  { remaining, finalizers, held }: Report,
): Promise<void> {
  const { cache } = await registry.storage(definition);
  const turn = registry.turns.begin({ taskName: `what is left of ${definition.resource} in namespace ${namespace}` });
  let count = 0;
  for (const stored of cache.snapshot().objects({ namespace, name: undefined, matches: undefined })) {
    count++;
    for (const finalizer of metadataIn(stored.bytes).finalizers ?? []) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
    await turn.over();
  }
  if (count === 0) return;
  remaining.set(`${definition.resource}.${definition.group}`, count);
  held.push(definition);
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
