// Checks of the documentation against the tree: the files it mentions exist, and its table of folders matches
// layers.json.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Paths in backquotes that start with a folder of the repository and end with a file name. */
const quoted = /`((?:src|scripts|bin|test|bench|docs|examples)\/[\w./-]+\.\w+|[\w.-]+\.json)`/g;
/** Links to files. */
const linked = /\]\((?!https?:|#)([^)#\s]+)/g;

/** Returns the files mentioned in a document that do not exist, as written there. */
export function missingFiles(root: string, document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(quoted)].map((match) => ({ path: match[1]!, from: root }));
  const links = [...text.matchAll(linked)].map((match) => ({ path: match[1]!, from: join(root, dirname(document)) }));
  return [...named, ...links].filter(({ path, from }) => !existsSync(join(from, path))).map(({ path }) => path);
}

/** Returns the rows of the table of folders: folder to layer and imports, as in layers.json. */
export function houseTable(text: string): Record<string, { floor: number; imports: string[] }> {
  const rows = [...text.matchAll(/^\| (\d) \| (\w+) \| .* \| ([^|]+) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, floor, folder, imports]) => [
      folder === 'src' ? '' : folder!,
      { floor: Number(floor), imports: imports === '–' ? [] : imports!.split(' ') },
    ]),
  );
}
