// Files with objects: manifests that are applied, and Stages, at the start of a server.

import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { documentAt } from '../api/yaml-fault.ts';
import { parseYaml } from '../api/yaml-reader.ts';
import { readText } from './files.ts';

/** An object, and the file that contains it. */
export interface FileObject {
  readonly file: string;
  readonly object: JsonObject;
}

const KUSTOMIZE_FILE = /^kustom(ization|izeconfig)\.ya?ml$/;

/**
 * The objects in files, and in those of folders that end in .yaml, .yml and .json. Files of kustomize in such a folder,
 * which lie beside the definitions in the usual layout of an operator, are not for a server.
 * @throws Error that names the file
 */
export async function readObjectFiles(paths: readonly string[]): Promise<FileObject[]> {
  return (await Promise.all(paths.flatMap(filesOf).map(readObjects))).flat();
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${path}: no such file or directory`);
  if (!found.isDirectory()) return [path];
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  const manifests = inside.filter((name) => /\.(ya?ml|json)$/.test(name) && !KUSTOMIZE_FILE.test(basename(name)));
  if (manifests.length === 0) throw new Error(`${path}: has no manifests, which end in .yaml, .yml or .json`);
  return manifests.map((name) => join(path, name));
}

async function readObjects(file: string): Promise<FileObject[]> {
  const text = readText(file);
  const objects: FileObject[] = [];
  let at = 0;
  for (const document of text.split(/^---(?=\s|$)/m)) {
    const value = await parseYaml(documentAt(text, at, at + document.length)).then(
      (parsed) => parsed.value,
      (error: Error) => {
        throw new Error(`${file}: ${error.message}`);
      },
    );
    at += document.length + '---'.length;
    if (value !== null) objects.push(...objectsIn(value, file).map((object) => ({ file, object })));
  }
  return objects;
}

/** The items of a list, or the object itself. @throws Error for anything but an object */
function objectsIn(value: Json, file: string): JsonObject[] {
  const { items, kind } = objectOf(value, file);
  const isList = Array.isArray(items) && String(kind).endsWith('List');
  return (isList ? items : [value]).map((each) => objectOf(each, file));
}

function objectOf(value: Json, file: string): JsonObject {
  if (isObject(value)) return value as JsonObject;
  throw new Error(`${file}: a document that is not an object`);
}
