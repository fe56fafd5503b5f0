// Scales of workloads of any kind, read and written through their subresource: what counts the pods of a budget, and
// what is scaled automatically.

import { parseApiVersion } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import { ControlledObjects } from '../controllers/controlled-objects.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { nothingRepeated } from '../verbs/resource-request.ts';
import { getScale, isScale, updateScale } from '../verbs/scale.ts';
import type { ClusterContext } from './context.ts';

/** A Scale of autoscaling/v1. */
export interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

export interface ScalePlace {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

export class Scales {
  readonly #context: ClusterContext;
  readonly #objects: ControlledObjects;

  /** @param account who writes: a service account in kube-system */
  constructor(context: ClusterContext, account: string) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, account);
  }

  /** The resource of a kind; undefined if it is not served. */
  resourceOf({
    apiVersion = '',
    kind = '',
  }: {
    readonly apiVersion?: string;
    readonly kind?: string;
  }): ResourceDefinition | undefined {
    const { group = '' } = parseApiVersion(apiVersion) ?? {};
    const { catalog } = this.#context;
    const versions = catalog.groups.find((each) => each.group === group)?.versions ?? [];
    const entries = versions.flatMap((version) => version.entries);
    return entries.find(({ definition }) => definition.kind === kind)?.definition;
  }

  /** The scale of an object. @param place of a resource that has scales @throws ApiError 404 */
  async read(place: ScalePlace): Promise<Scale> {
    return (await getScale(this.#context.writes.registry, this.#request(place))) as Scale;
  }

  /** Changes the number of replicas. @param scale as it was read @throws ApiError like any update */
  async write(place: ScalePlace, scale: Scale, replicas: number): Promise<void> {
    const value = { ...scale, spec: { ...scale.spec, replicas } };
    const body = { value, excerpt: '', repeated: nothingRepeated };
    await updateScale(this.#context.writes, this.#request(place), body);
  }

  #request(place: ScalePlace) {
    return { ...this.#objects.request(place), subresource: 'scale' };
  }
}

/** Whether the objects of a resource have a scale. */
export function hasScale({ subresources }: ResourceDefinition): boolean {
  const { scale } = subresources;
  return scale !== undefined && isScale(scale);
}
