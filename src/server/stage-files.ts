// Stages of KWOK that a server is started with: objects, or files with them.

import type { JsonObject } from '../api/object.ts';
import { STAGE_GROUP, STAGE_KIND, STAGE_VERSION, type Stage } from '../cluster/stages/stage-objects.ts';
import { readObjectFiles } from './object-files.ts';

const API_VERSION = `${STAGE_GROUP}/${STAGE_VERSION}`;

/**
 * Other objects in files, such as KWOK's configuration and the data of its tests, are left out.
 * @param sources objects, and paths of files and folders
 * @throws Error for an object that is not a Stage, and for a file or folder without any
 */
export async function readStages(sources: readonly (string | object)[]): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const source of sources) {
    if (typeof source !== 'string') stages.push(stageIn(source as JsonObject, 'stages'));
    else stages.push(...(await stagesAt(source)));
  }
  return stages;
}

async function stagesAt(path: string): Promise<Stage[]> {
  const found = (await readObjectFiles([path])).filter(({ object }) => isStage(object));
  if (found.length === 0) throw new Error(`${path}: no ${STAGE_KIND} of ${API_VERSION}`);
  return found.map(({ file, object }) => stageIn(object, file));
}

function isStage({ kind, apiVersion }: JsonObject): boolean {
  return kind === STAGE_KIND && apiVersion === API_VERSION;
}

/** @throws Error for any other object */
function stageIn(object: JsonObject, where: string): Stage {
  const { kind, apiVersion, metadata } = object;
  if (!isStage(object)) {
    throw new Error(`${where}: ${String(kind)} of ${String(apiVersion)} is not a ${STAGE_KIND} of ${API_VERSION}`);
  }
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  if (typeof name !== 'string' || name === '') throw new Error(`${where}: a ${STAGE_KIND} without a name`);
  return object as unknown as Stage;
}
