// Serving of custom resources; the code is loaded with the first CustomResourceDefinition, because it includes the CEL
// compiler and many servers never have a definition.

import type { CustomResourcesContext } from '../controllers/custom-resources.ts';

const EVERYTHING = { namespace: undefined, name: undefined, matches: undefined };

export interface ServedDefinitions {
  /** Resolves when the definitions that this server knows of are served. */
  settled(): Promise<void>;
  /** Before the caches close. */
  stop(): Promise<void>;
}

/** Resolves when all existing definitions are served; later ones are served as soon as possible. */
export async function serveCustomResources(context: CustomResourcesContext): Promise<ServedDefinitions> {
  const { catalog, log, writes } = context;
  const definition = catalog.find('apiextensions.k8s.io', 'customresourcedefinitions');
  if (definition === undefined) return { settled: async () => {}, stop: async () => {} };
  const { cache } = await writes.registry.storage(definition);
  if (cache.snapshot().count(EVERYTHING) > 0) return serve(context);
  let serving: Promise<ServedDefinitions | undefined> | undefined;
  const first = cache.watch({
    selection: EVERYTHING,
    from: cache.revision,
    sink: {
      initial: () => true,
      initialEnd: () => true,
      event: () => {
        first.close();
        serving = serve(context).catch((error: unknown) => {
          log.error('custom resources are not served', { error });
          return undefined;
        });
        return false;
      },
      end: () => {},
    },
  });
  return {
    async settled() {
      await (await serving)?.settled();
    },
    async stop() {
      first.close();
      await (await serving)?.stop();
    },
  };
}

async function serve(context: CustomResourcesContext): Promise<ServedDefinitions> {
  const { CustomResources } = await import('../controllers/custom-resources.ts');
  const customResources = new CustomResources(context);
  await customResources.start();
  return customResources;
}
