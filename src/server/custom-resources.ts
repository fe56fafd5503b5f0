// Serving of custom resources; the code is loaded with the first CustomResourceDefinition, because it includes the CEL
// compiler and many servers never have a definition.

import type { CustomResourcesContext } from '../controllers/custom-resources.ts';

const EVERYTHING = { namespace: undefined, name: undefined, matches: undefined };

/** Parts that are stopped before the caches close. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Resolves when all existing definitions are served; later ones are served as soon as possible. */
export async function serveCustomResources(context: CustomResourcesContext): Promise<Stoppable> {
  const { catalog, log, writes } = context;
  const definition = catalog.find('apiextensions.k8s.io', 'customresourcedefinitions');
  if (definition === undefined) return { stop: async () => {} };
  const { cache } = await writes.registry.storage(definition);
  if (cache.snapshot().count(EVERYTHING) > 0) return serve(context);
  let serving: Promise<Stoppable | undefined> | undefined;
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
    async stop() {
      first.close();
      await (await serving)?.stop();
    },
  };
}

async function serve(context: CustomResourcesContext): Promise<Stoppable> {
  const { CustomResources } = await import('../controllers/custom-resources.ts');
  const customResources = new CustomResources(context);
  await customResources.start();
  return customResources;
}
