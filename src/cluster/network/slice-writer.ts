// Writes of EndpointSlices by a plan, for the controllers that have some.

import type { Draft } from '../../api/object.ts';
import type { EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { Informer } from '../informer.ts';
import { TRIGGER_TIME } from './service-pods.ts';
import { type EndpointGroup, planSlices, type SlicePlan } from './slice-plan.ts';

interface SliceWriterOptions {
  readonly slices: Informer<EndpointSlice>;
  readonly objects: ClusterObjects;
  /** The metadata of a new slice: generateName, labels and owner. */
  readonly metadata: () => Draft<EndpointSlice>['metadata'];
  /** Whether the metadata of a slice is not what it should be. */
  readonly isStale: (slice: EndpointSlice) => boolean;
  /** Endpoints in a slice; by default those of kube-controller-manager's default. */
  readonly most?: number;
  /** Gives the endpoints of an address type their hints. */
  readonly hint?: (plan: SlicePlan, type: string) => SlicePlan;
  /** Whether slices have no other annotations and owners than those of a new one. */
  readonly ownsMetadata?: true;
  /** When the change happened that is written, for an annotation; undefined if it is not known. */
  readonly changedMs: number | undefined;
}

const MOST = 100;

export class SliceWriter {
  readonly #options: SliceWriterOptions;

  constructor(options: SliceWriterOptions) {
    this.#options = options;
  }

  /**
   * Gives the slices of an address type these endpoints.
   * @returns whether anything had to be written
   */
  async write(type: string, groups: readonly EndpointGroup[], existing: readonly EndpointSlice[]): Promise<boolean> {
    const { slices, objects, metadata, isStale, most = MOST, ownsMetadata = false, hint } = this.#options;
    const hinted = hint === undefined ? {} : { hint: (plan: SlicePlan) => hint(plan, type) };
    const plan = planSlices(groups, existing, { isStale, most, ...hinted });
    for (const group of plan.create) {
      const made = metadata();
      const annotations = this.#annotated(made.annotations);
      const annotated = annotations === undefined ? made : { ...made, annotations };
      const content = { ...draftOf(group), addressType: type };
      await objects.create<EndpointSlice>(slices, { metadata: annotated, ...content });
    }
    for (const { slice, group } of plan.update) {
      await objects.update<EndpointSlice>(slices, slice, (draft) => {
        const { labels, annotations, ownerReferences } = metadata();
        if (labels !== undefined) draft.metadata.labels = labels;
        if (ownsMetadata) {
          if (ownerReferences !== undefined) draft.metadata.ownerReferences = ownerReferences;
          delete draft.metadata.generateName;
        }
        const next = this.#annotated({ ...(ownsMetadata ? {} : draft.metadata.annotations), ...annotations });
        if (next === undefined) delete draft.metadata.annotations;
        else draft.metadata.annotations = next;
        Object.assign(draft, draftOf(group));
        return true;
      });
    }
    for (const slice of plan.delete) await objects.delete(slices, slice);
    return plan.create.length + plan.update.length > 0;
  }

  /** Undefined for no annotations. */
  #annotated(annotations: Record<string, string> = {}): Record<string, string> | undefined {
    const { changedMs } = this.#options;
    const { [TRIGGER_TIME]: _, ...others } = annotations;
    if (changedMs === undefined) return Object.keys(others).length === 0 ? undefined : others;
    return { ...others, [TRIGGER_TIME]: new Date(changedMs).toISOString().replace('.000Z', 'Z') };
  }
}

function draftOf({ ports, endpoints }: EndpointGroup): Pick<Draft<EndpointSlice>, 'ports' | 'endpoints'> {
  return { ports: [...ports], endpoints: [...endpoints] as NonNullable<Draft<EndpointSlice>['endpoints']> };
}
