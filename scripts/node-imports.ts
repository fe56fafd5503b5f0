// What the source imports from Node, and how it is bundled, so that a start loads only that.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** `import { a, type B, c as d } from 'node:x'` */
const nodeImport = /^import \{([^}]+)\} from '(node:[^']+)'/gm;

/** `import * as x from 'node:x'`: which names are used is unknown. */
const wholeNodeImport = /^import \* as \w+ from 'node:/m;

/**
 * Returns the names that the files import from each Node module, without types. Throws Error for a namespace import.
 */
export function namesFromNode(files: Iterable<string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (wholeNodeImport.test(text)) throw new Error(`${file} imports a whole module of Node: import names`);
    for (const [, list = '', module = ''] of text.matchAll(nodeImport)) {
      const names = list.split(',').map((name) => name.trim().replace(/ as .*/, ''));
      const values = names.filter((name) => name !== '' && !name.startsWith('type '));
      found.set(module, new Set([...(found.get(module) ?? []), ...values]));
    }
  }
  return found;
}

/**
 * Imports only the needed names from Node modules. An import statement evaluates all exports of a module, which loads
 * what is behind them: with node:crypto all of Web Crypto, with node:fs the file streams.
 */
export function nodeModules(names: ReadonlyMap<string, ReadonlySet<string>>): Plugin {
  return {
    name: 'node-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
        kind === 'import-statement' && !importer.includes('node_modules') ? { path, namespace: 'node' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
        contents: `export const { ${[...(names.get(path) ?? [])].join(', ')} } = process.getBuiltinModule('${path}');`,
      }));
    },
  };
}
