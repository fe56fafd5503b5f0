// Installation of Stages that a server is started with: of their definition, if there is none, and of each of them.

import { isTaken } from '../../api/error-reasons.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft, JsonObject } from '../../api/object.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed } from '../informer.ts';
import { STAGE_DEFINITION, stageDefinition } from './stage-definition.ts';
import { STAGE_GROUP, STAGE_RESOURCE, type Stage } from './stage-objects.ts';

/** How long a definition may take to be served: it never is if its names are taken. */
const SERVED_MS = 10_000;

/** One that cannot be stored is logged and left out. */
export async function installStages(
  context: ClusterContext,
  objects: ClusterObjects,
  stages: readonly Stage[],
): Promise<void> {
  const { informers, catalog, log } = context;
  if (stages.length === 0) return;
  const definitions = await informers.open<Informed>('apiextensions.k8s.io', 'customresourcedefinitions');
  try {
    await objects.create(definitions, stageDefinition() as unknown as Informed);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
  await served(context, catalog);
  const known = await informers.open<Stage>(STAGE_GROUP, STAGE_RESOURCE);
  for (const stage of stages) {
    try {
      await installStage(objects, known, stage);
    } catch (error) {
      log.warn('a Stage could not be installed', { stage: stage.metadata.name, error: String(error) });
    }
  }
}

async function installStage(
  objects: ClusterObjects,
  known: Parameters<typeof objects.create<Stage>>[0],
  stage: Stage,
): Promise<void> {
  const wanted = copyJson(stage as unknown as JsonObject) as unknown as Draft<Stage>;
  try {
    await objects.create(known, wanted);
  } catch (error) {
    if (!isTaken(error)) throw error;
    await objects.update(known, { metadata: { name: stage.metadata.name ?? '' } }, (draft) => {
      Object.assign(draft, { spec: wanted.spec });
      return true;
    });
  }
}

/** @throws Error if Stages are not served in time */
function served({ clock }: ClusterContext, catalog: Catalog): Promise<void> {
  const isServed = () => catalog.find(STAGE_GROUP, STAGE_RESOURCE) !== undefined;
  if (isServed()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = clock.after(SERVED_MS, () => {
      unfollow();
      reject(new Error(`${STAGE_DEFINITION} is not served`));
    });
    const unfollow = catalog.follow(() => {
      if (!isServed()) return;
      timer.cancel();
      unfollow();
      resolve();
    });
  });
}
