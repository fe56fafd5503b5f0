// The places of the objects of a kind: its version, resource and scope, from the server's discovery.

import type { CustomResource } from './custom-resource.ts';

/** Where objects are. */
interface Place {
  readonly apiVersion: string;
  readonly kind: string;
  /** The plural name in paths. */
  readonly resource: string;
  readonly namespaced: boolean;
}

interface DiscoveredGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly {
      readonly resource: string;
      readonly responseKind: { readonly kind: string };
      readonly scope: 'Namespaced' | 'Cluster';
    }[];
  }[];
}

/** All groups in one answer. */
const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export class Places {
  readonly #get: (path: string, accept: string) => Promise<unknown>;
  #places: ReadonlyMap<string, Place> | undefined;

  constructor(get: (path: string, accept: string) => Promise<unknown>) {
    this.#get = get;
  }

  /** @throws TypeError if the server does not serve the kind */
  async of(kind: string | CustomResource): Promise<Place> {
    if (typeof kind !== 'string') return kind;
    const known = this.#places?.get(kind);
    if (known !== undefined) return known;
    this.#places = await this.#discover();
    const found = this.#places.get(kind);
    if (found === undefined) throw new TypeError(`this server has no kind ${kind}`);
    return found;
  }

  /** Returns the places by `group/version/Kind`, and those of preferred versions by kind. */
  async #discover(): Promise<ReadonlyMap<string, Place>> {
    const lists = await Promise.all(['/api', '/apis'].map((path) => this.#get(path, ACCEPT)));
    const found = new Map<string, Place>();
    for (const { metadata, versions } of (lists as { items: DiscoveredGroup[] }[]).flatMap(({ items }) => items)) {
      for (const { version, resources } of versions) {
        const group = metadata?.name ?? '';
        const apiVersion = group === '' ? version : `${group}/${version}`;
        for (const { resource, responseKind, scope } of resources) {
          const { kind } = responseKind;
          const place = { apiVersion, kind, resource, namespaced: scope === 'Namespaced' };
          for (const name of [`${apiVersion}/${kind}`, kind]) if (!found.has(name)) found.set(name, place);
        }
      }
    }
    return found;
  }
}
