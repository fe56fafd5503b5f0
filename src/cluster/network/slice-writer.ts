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
    const { slices, objects, metadata, isStale, most = MOST, hint } = this.#options;
    const hinted = hint === undefined ? {} : { hint: (plan: SlicePlan) => hint(plan, type) };
    const plan = planSlices(groups, existing, { isStale, most, ...hinted });
    for (const group of plan.create) {
      const made = this.#annotated(metadata());
      await objects.create<EndpointSlice>(slices, { metadata: made, ...draftOf(group), addressType: type });
    }
    for (const { slice, group, isNew } of plan.update) {
      await objects.update<EndpointSlice>(slices, slice, (draft) => {
        draft.metadata = this.#metadataOf(draft.metadata, isNew === true);
        Object.assign(draft, draftOf(group));
        return true;
      });
    }
    for (const slice of plan.delete) await objects.delete(slices, slice);
    return plan.create.length + plan.update.length > 0;
  }

  /** The metadata of a slice that is written again. */
  #metadataOf(before: Draft<EndpointSlice>['metadata'], isNew: boolean): Draft<EndpointSlice>['metadata'] {
    const { metadata, ownsMetadata = false } = this.#options;
    const made = metadata();
    if (isNew) return this.#annotated({ ...unowned(before), ...made });
    if (!ownsMetadata) return this.#annotated({ ...before, ...(made.labels && { labels: made.labels }) });
    const { generateName: _, ...named } = { ...unowned(before), ...made };
    return this.#annotated(named);
  }

  /** With the annotation that has the time of the change. */
  #annotated(metadata: Draft<EndpointSlice>['metadata']): Draft<EndpointSlice>['metadata'] {
    const { changedMs } = this.#options;
    const { annotations, ...others } = metadata;
    const { [TRIGGER_TIME]: _, ...kept } = annotations ?? {};
    const time = changedMs === undefined ? undefined : new Date(changedMs).toISOString().replace('.000Z', 'Z');
    const next = time === undefined ? kept : { ...kept, [TRIGGER_TIME]: time };
    return Object.keys(next).length === 0 ? others : { ...others, annotations: next };
  }
}

/** Without what a new slice would not have. */
function unowned(metadata: Draft<EndpointSlice>['metadata']): Draft<EndpointSlice>['metadata'] {
  const { annotations: _annotations, labels: _labels, ownerReferences: _owners, ...rest } = metadata;
  return rest;
}

function draftOf({ ports, endpoints }: EndpointGroup): Pick<Draft<EndpointSlice>, 'ports' | 'endpoints'> {
  return { ports: [...ports], endpoints: [...endpoints] as NonNullable<Draft<EndpointSlice>['endpoints']> };
}
