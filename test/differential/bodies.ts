// Initial bodies: those of the recordings, by resource, and their values by type and field. Nearly valid bodies reach
// validation that random ones never get to.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import { builtinResources } from '../../src/resources/builtin/resources.ts';
import type { ResourceDefinition, ServedVersion } from '../../src/resources/definition.ts';
import type { Node, StructNode } from '../../src/schema/node.ts';
import { type RequestSpec, readArea, recordedAreas } from '../conformance/scenario.ts';

export type Body = Record<string, unknown>;

/** A built-in resource in one of its versions. */
export interface Kind {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly apiVersion: string;
  /** `group/version/resource` */
  readonly key: string;
  /** Bodies that were accepted in the recordings. */
  readonly accepted: Body[];
  /** All recorded bodies. */
  readonly all: Body[];
  /** Whole objects as users write them. */
  readonly manifests: Body[];
}

export class Bodies {
  readonly kinds: readonly Kind[];
  /** By type and field, values in recorded bodies. */
  readonly #values = new Map<string, unknown[]>();

  /**
   * @param manifests objects as users write them
   * @param all whether to include versions of kinds that are off by default
   */
  constructor(manifests: readonly Body[], all: boolean) {
    this.kinds = builtinResources.flatMap((definition) => kindsOf(definition, all));
    const byKey = new Map(this.kinds.map((kind) => [kind.key, kind]));
    for (const area of recordedAreas()) {
      for (const { steps } of readArea(area).scenarios) {
        for (const step of steps) if ('body' in step) this.#take(step as Recorded, byKey);
      }
    }
    for (const manifest of manifests) {
      const same = this.kinds.filter(({ definition, apiVersion }) => {
        if (definition.kind !== manifest['kind']) return false;
        const [group = ''] = String(manifest['apiVersion']).split('/v');
        return manifest['apiVersion'] === apiVersion || (!convertible.has(group) && definition.group === group);
      });
      for (const kind of same) {
        kind.manifests.push(manifest);
        this.#note(kind.version.schema, manifest);
      }
    }
  }

  /** Returns a value that some recorded body has in this field of this type. */
  value(struct: StructNode, field: string, random: SeededRandom): unknown {
    const known = this.#values.get(`${struct.name}.${field}`);
    return known === undefined ? undefined : structuredClone(random.pick(known));
  }

  #take(step: Recorded, byKey: ReadonlyMap<string, Kind>): void {
    const found = collection.exec(step.path);
    const isWrite = step.method === 'POST' || step.method === 'PUT';
    if (found === null || !isWrite || typeof step.body !== 'object' || step.body === null) return;
    const { group = '', version, resource } = found.groups as { group?: string; version: string; resource: string };
    const kind = byKey.get(`${group}/${version}/${resource}`);
    if (kind === undefined) return;
    const body = withoutServerFields(step.body as Body);
    const status = Number(step.expect?.['status']);
    if (step.method === 'POST') {
      kind.all.push(body);
      if (status === 201) kind.accepted.push(body);
    }
    this.#note(kind.version.schema, body);
  }

  #note(node: Node, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (node.kind === 'list' && Array.isArray(value)) for (const item of value) this.#note(node.items, item);
    if (node.kind === 'map') for (const item of Object.values(value)) this.#note(node.values, item);
    if (node.kind !== 'struct') return;
    for (const [name, item] of Object.entries(value)) {
      const field = node.jsonFields.get(name);
      if (field === undefined) continue;
      const key = `${node.name}.${name}`;
      const known = this.#values.get(key) ?? [];
      if (known.length < knownValues) known.push(item);
      this.#values.set(key, known);
      this.#note(field.node, item);
    }
  }
}

type Recorded = RequestSpec & { readonly expect?: Readonly<Record<string, unknown>> };

const knownValues = 60;

/** Groups whose versions have different fields. */
const convertible = new Set(['', 'v1', 'autoscaling', 'events.k8s.io']);

const collection =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>v[^/]+)\/(?:namespaces\/[^/]+\/)?(?<resource>[a-z]+)(?:\/[^/]+)?$/;

function kindsOf(definition: ResourceDefinition, all: boolean): Kind[] {
  if (!definition.verbs.includes('create') || !definition.verbs.includes('update')) return [];
  return definition.versions
    .filter(({ enabledByDefault }) => all || enabledByDefault)
    .map((version) => ({
      definition,
      version,
      apiVersion: definition.group === '' ? version.version : `${definition.group}/${version.version}`,
      key: `${definition.group}/${version.version}/${definition.resource}`,
      accepted: [],
      all: [],
      manifests: [],
    }));
}

/** Values specific to the recorded server. */
function withoutServerFields(body: Body): Body {
  const { metadata, ...rest } = body;
  if (typeof metadata !== 'object' || metadata === null) return body;
  const { resourceVersion: _, uid: __, ...kept } = metadata as Body;
  return { ...rest, metadata: kept };
}
