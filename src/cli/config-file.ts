// The file of `keelson serve --config`: a YAML map of flags. A list sets a flag several times, and so does a map, as
// `name=value`, if the flag accepts several values.

import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { yamlFault } from '../api/yaml-fault.ts';
import type { Setting } from './flags/settings.ts';
import { assertTreeSize } from './yaml-size.ts';

/** The flags in the file, in order. @throws Error with the file, and the line or the field */
export function settingsInFile(path: string, text: string): Setting[] {
  try {
    assertTreeSize(text);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  // All scalars are strings, as on a command line: 1.30 is not 1.3.
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.message.split(/\n| at line /, 1)[0]!;
    throw new Error(`${path}: ${yamlFault(text, 0, { line: error.linePos?.[0].line ?? 1, what })}`);
  }
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === '')) return [];
  if (!isMap(root)) throw new Error(`${path}: must be a map of flags by their names`);
  return root.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : '';
    const source = `${path}: ${name}`;
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`${source}: is not the name of a flag`);
    if (name === 'config') throw new Error(`${source}: a file cannot name another one`);
    return valuesOf(value, source).map((each) => ({ name, source, ...each }));
  });
}

function valuesOf(value: unknown, source: string): Pick<Setting, 'text' | 'within'>[] {
  if (isScalar(value)) return [{ text: scalarText(value, source) }];
  if (isSeq(value)) {
    return value.items.map((item, at) => ({ text: scalarText(item, `${source}[${at}]`), within: 'list' }));
  }
  if (isMap(value)) {
    return value.items.map(({ key, value: each }) => {
      const name = scalarText(key, source);
      return { text: `${name}=${scalarText(each, `${source}.${name}`)}`, within: 'map' };
    });
  }
  throw new Error(`${source}: has no value`);
}

function scalarText(node: unknown, source: string): string {
  if (!isScalar(node)) throw new Error(`${source}: must be a text, a number or a boolean`);
  // An absent value differs from the empty string, which is quoted.
  if (node.value === null || (node.value === '' && node.type === 'PLAIN')) throw new Error(`${source}: has no value`);
  return String(node.value);
}
