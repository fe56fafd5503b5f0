// How many pods the controllers of pods want: the total of which a percentage in a disruption budget is a share.

import { isMissing } from '../../api/error-reasons.ts';
import { parseApiVersion, qualified } from '../../api/group-version.ts';
import type { OwnerReference } from '../../api/object.ts';
import type { ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Informer } from '../informer.ts';
import { controllerOf } from '../owners.ts';
import { hasScale, type Scales } from '../scales.ts';

interface ExpectedScale {
  readonly count: number;
  /** Whether there are pods without a controller, which are not counted. */
  readonly hasUnmanaged: boolean;
}

interface Sources {
  readonly scales: Scales;
  readonly replicaSets: Informer<ReplicaSet>;
}

/**
 * The sum of the replicas of all controllers of these pods.
 * @throws Error if the controller of one of them is gone or has no scale
 */
export async function expectedScale(pods: readonly Pod[], sources: Sources): Promise<ExpectedScale> {
  const seen = new Set<string>();
  /** Replicas by the UID of what is scaled: ReplicaSets of one Deployment share its scale. */
  const counts = new Map<string, number>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined) hasUnmanaged = true;
    if (reference === undefined || seen.has(reference.uid)) continue;
    seen.add(reference.uid);
    const found = await scaleBehind(reference, pod.metadata.namespace ?? '', sources);
    if (found === undefined) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
    counts.set(found.uid, found.replicas);
  }
  return { count: counts.values().reduce((sum, each) => sum + each, 0), hasUnmanaged };
}

/** The scale of a controller, or of the Deployment that controls it. */
async function scaleBehind(
  reference: OwnerReference,
  namespace: string,
  sources: Sources,
): Promise<{ readonly uid: string; readonly replicas: number } | undefined> {
  if (isOf(reference, 'ReplicaSet')) {
    const set = sources.replicaSets.get(namespace, reference.name);
    const owner = set === undefined || set.metadata.uid !== reference.uid ? undefined : controllerOf(set);
    if (owner !== undefined && isOf(owner, 'Deployment')) {
      const found = await scaleOf(owner, namespace, sources.scales);
      if (found !== undefined) return found;
    }
  }
  return scaleOf(reference, namespace, sources.scales);
}

function isOf({ apiVersion, kind }: OwnerReference, wanted: string): boolean {
  const { group } = parseApiVersion(apiVersion) ?? {};
  return kind === wanted && (group === 'apps' || group === 'extensions');
}

/** @throws Error for a kind that is unknown or has no scale */
async function scaleOf(reference: OwnerReference, namespace: string, scales: Scales) {
  const { apiVersion, kind, name, uid } = reference;
  const definition = scales.resourceOf(reference);
  if (definition === undefined) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
  const { group, resource } = definition;
  if (!hasScale(definition)) throw new Error(`${qualified(resource, group)} does not implement the scale subresource`);
  try {
    const scale = await scales.read({ definition, namespace, name });
    return scale.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
