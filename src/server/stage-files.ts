// Stages of KWOK that a server is started with: objects, or files with them.

import type { JsonObject } from '../api/object.ts';
import { STAGE_GROUP, STAGE_KIND, STAGE_VERSION, type Stage } from '../cluster/stages/stage-objects.ts';
import { readObjectFiles } from './object-files.ts';

const API_VERSION = `${STAGE_GROUP}/${STAGE_VERSION}`;

/** @param sources objects, and paths of files and folders @throws Error for anything that is not a Stage */
export async function readStages(sources: readonly (string | object)[]): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const source of sources) {
    if (typeof source !== 'string') stages.push(stageIn(source as JsonObject, 'stages'));
    else for (const { file, object } of await readObjectFiles([source])) stages.push(stageIn(object, file));
  }
  return stages;
}

function stageIn(object: JsonObject, where: string): Stage {
  const { kind, apiVersion, metadata } = object;
  if (kind !== STAGE_KIND || apiVersion !== API_VERSION) {
    throw new Error(`${where}: ${String(kind)} of ${String(apiVersion)} is not a ${STAGE_KIND} of ${API_VERSION}`);
  }
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  if (typeof name !== 'string' || name === '') throw new Error(`${where}: a ${STAGE_KIND} without a name`);
  return object as unknown as Stage;
}
