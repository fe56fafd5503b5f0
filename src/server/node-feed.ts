// The graph of nodes and the objects they may read, in sync with stored objects. It is maintained from the first
// request of a node on, so servers without nodes do not pay for it.

import type { NamingResource, NodeGraph } from '../auth/authz/node-graph.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';

const NAMING: readonly (readonly [group: string, resource: NamingResource])[] = [
  ['storage.k8s.io', 'volumeattachments'],
  ['resource.k8s.io', 'resourceslices'],
  ['certificates.k8s.io', 'podcertificaterequests'],
];

/** Returns the graph, complete; it is kept in sync until the caches close. */
export function nodeRelations(catalog: Catalog, registry: Registry): () => Promise<NodeGraph> {
  let graph: Promise<NodeGraph> | undefined;
  return () => {
    graph ??= follow(catalog, registry).catch((error: unknown) => {
      graph = undefined;
      throw error;
    });
    return graph;
  };
}

async function follow(catalog: Catalog, registry: Registry): Promise<NodeGraph> {
  const { NodeGraph } = await import('../auth/authz/node-graph.ts');
  const graph = new NodeGraph();
  await Promise.all([
    followObjects(catalog, registry, {
      group: '',
      resource: 'pods',
      set: (pod) => graph.setPod(pod),
      delete: (namespace, name) => graph.deletePod(namespace, name),
    }),
    followObjects(catalog, registry, {
      group: '',
      resource: 'persistentvolumes',
      set: (volume) => graph.setVolume(volume),
      delete: (_, name) => graph.deleteVolume(name),
    }),
    ...NAMING.map(([group, resource]) =>
      followObjects(catalog, registry, {
        group,
        resource,
        set: (object) => graph.setNaming(resource, object),
        delete: (namespace, name) => graph.deleteNaming(resource, namespace, name),
      }),
    ),
  ]);
  return graph;
}
