// `npm run build`, which `npm ci` runs too: builds dist/ from src/. The program is bundled into a few files, because
// loading hundreds of files dominates the start-up time; type declarations come from the compiler, and those that users can
// reach are kept. A record of the
// source beside them lets bin/keelson.js detect whether dist/ is up to date.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { descriptionsText } from '../src/server/type-descriptions-file.ts';
import { typeDescriptions } from './type-descriptions.ts';

/** Entry points of the program, loaded by name: itself and its worker threads. */
export const programEntries = {
  main: 'src/cli/main.ts',
  'embedded-worker': 'src/store/embedded-worker.ts',
  'openapi-worker': 'src/http/documents/openapi-worker.ts',
  'serving-thread': 'src/server/threads/serving-thread.ts',
};

/** The parts of the public API. */
const publicEntries = {
  index: 'src/index.ts',
  cel: 'src/cel.ts',
  testing: 'src/testing.ts',
  vitest: 'src/vitest.ts',
  'node-test': 'src/node-test.ts',
  'jest-environment': 'src/jest-environment.ts',
};

/** What runs in Jest's sandbox, which loads CommonJS. */
const sandboxEntries = { jest: 'src/jest.ts' };

/** All entry points. */
export const entries = { ...programEntries, ...publicEntries };

/** Inputs of the build besides the source. */
const recipe = [
  'scripts/build.ts',
  'scripts/node-version.js',
  'scripts/type-descriptions.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.page.json',
];

/** The compiler does not rewrite a file named in a string ('./worker.ts'), and it would be missing from dist/. */
const sourceName = /new URL\(\s*['"][^'"]+\.ts['"]/;

/** Returns the files under `folder` that name a TypeScript file at run time. */
export function filesNamingSource(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.js') && sourceName.test(readFileSync(join(folder, file), 'utf8')));
}

const isSource = (file: string): boolean => /\.(?:tsx?|css|html)$/.test(file) && !file.endsWith('.test.ts');

/** Returns the inputs, files of src/ and of the build itself, each with a value that changes whenever the file does. */
function stamps(root: string): Map<string, string> {
  const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => `src/${file.replaceAll('\\', '/')}`);
  const stamp = (file: string): string => {
    const { size, ctimeMs } = statSync(join(root, file));
    return `${size} ${ctimeMs}`;
  };
  return new Map([...recipe, ...source].map((file) => [file, stamp(file)]));
}

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
function nodeModules(names: ReadonlyMap<string, ReadonlySet<string>>): Plugin {
  return {
    name: 'node-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'node' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
        contents: `export const { ${[...(names.get(path) ?? [])].join(', ')} } = process.getBuiltinModule('${path}');`,
      }));
    },
  };
}

async function buildAll(root: string): Promise<boolean> {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  // Read first: if a file is edited during the build, its stamp no longer matches.
  const before = stamps(root);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Older versions of Node must be able to parse the files to report that they are too old.
    supported: { using: false },
    inject: [join(root, 'scripts/node-version.js')],
    packages: 'external',
    // Beside the worker, which is found by its file's place. Named after their contents.
    chunkNames: '[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    plugins: [
      nodeModules(
        namesFromNode([...before.keys()].filter((file) => file.startsWith('src/')).map((file) => join(root, file))),
      ),
    ],
    logLevel: 'warning',
    metafile: true,
  });
  const sandbox = await build({
    ...{ absWorkingDir: root, entryPoints: sandboxEntries, outdir: dist, outExtension: { '.js': '.cjs' } },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node24', logLevel: 'warning', metafile: true },
  });
  const page = await buildPage(root, join(dist, 'console'));
  writeFileSync(join(dist, 'type-descriptions.txt'), descriptionsText(typeDescriptions(root)));
  const declared = declare(root, join(dist, 'types'));
  const left = filesNamingSource(dist);
  for (const file of left) console.log(`dist/${file} names a .ts file in new URL()`);
  if (!declared || left.length > 0) return false;
  // Written last, so that an incomplete build is never run. Types alone do not affect what runs.
  const used = [...before].filter(
    ([file]) => recipe.includes(file) || [metafile, sandbox.metafile, page].some(({ inputs }) => file in inputs),
  );
  writeFileSync(join(dist, 'built-from.json'), JSON.stringify(Object.fromEntries(used)));
  return true;
}

/** What a declaration imports from its own package: `from './a.ts'`, `import("./a.ts")`. */
const importOfDeclaration = /(?:from |import\()['"](\.[^'"]+)\.ts['"]/g;

/** Returns the declarations among those in `folder` that can be reached from `start`, which are included. */
export function reachable(folder: string, start: readonly string[]): string[] {
  const found = new Set(start);
  for (const path of found) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, name = ''] of text.matchAll(importOfDeclaration)) {
      found.add(relative(folder, join(folder, dirname(path), `${name}.d.ts`)));
    }
  }
  return [...found];
}

/** Writes the declarations of the public API; returns whether the compiler could. */
function declare(root: string, outdir: string): boolean {
  const all = mkdtempSync(join(tmpdir(), 'keelson-types-'));
  try {
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', all];
    const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) return false;
    const start = Object.keys({ ...publicEntries, ...sandboxEntries }).map((name) => `${name}.d.ts`);
    for (const path of reachable(all, start)) cpSync(join(all, path), join(outdir, path));
    return true;
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

/** The console's page: a script, its styles and the document that loads them, without external resources. */
async function buildPage(root: string, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      page: 'src/page/main.tsx',
      index: 'src/page/index.html',
      terminal: 'src/page/terminal/terminal.css',
    },
    ...{ outdir, bundle: true, minify: true, splitting: true, format: 'esm', platform: 'browser' },
    target: ['chrome120', 'firefox120', 'safari17'],
    loader: { '.html': 'copy' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
    chunkNames: '[name]-[hash]',
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
  });
  preloadParts(outdir, metafile);
  return metafile;
}

/**
 * Preloads in the document what the script imports, so that a browser requests everything at once, and the imports of
 * the page of an object and of the views with the editor, which are requested when a URL needs them.
 */
function preloadParts(outdir: string, metafile: Metafile): void {
  const first = partsOf(metafile, 'src/page/main.tsx');
  const object = partsOf(metafile, 'src/page/object/object-view.tsx').filter((part) => !first.includes(part));
  const known = [...first, ...object];
  const editor = partsOf(metafile, 'src/page/object/editor-pages.ts').filter((part) => !known.includes(part));
  const link = (rel: string) => (path: string) => `    <link rel="${rel}" href="/assets/${basename(path)}">\n`;
  const links = [
    ...first.slice(1).map(link('modulepreload')),
    ...object.map(link('object')),
    ...editor.map(link('editor')),
  ];
  const file = join(outdir, 'index.html');
  writeFileSync(file, readFileSync(file, 'utf8').replace('  </head>', `${links.join('')}  </head>`));
}

/** Returns the files that contain a module of the page and its static imports, its own first. */
function partsOf({ outputs }: Metafile, module: string): string[] {
  const own = Object.keys(outputs).find((path) => outputs[path]!.entryPoint === module)!;
  const parts = new Set([own]);
  for (const part of parts) {
    for (const { path, kind } of outputs[part]!.imports) if (kind === 'import-statement') parts.add(path);
  }
  return [...parts];
}

if (import.meta.main) process.exitCode = (await buildAll(join(import.meta.dirname, '..'))) ? 0 : 1;
