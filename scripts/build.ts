// `npm run build`, which `npm ci` runs too: builds dist/ from src/. The program is bundled into a few files, because
// loading hundreds of files dominates the start-up time; type declarations come from the compiler, and those that users can
// reach are kept. A record of the
// source beside them lets bin/keelson.js detect whether dist/ is up to date.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { descriptionsText } from '../src/server/type-descriptions-file.ts';
import { buildProgram, publicEntries, sourceFiles } from './build-program.ts';
import { writeCodeCache } from './code-cache.ts';
import { typeDescriptions } from './type-descriptions.ts';

/** What runs in Jest's sandbox, which loads CommonJS. */
const sandboxEntries = { jest: 'src/jest.ts' };

/** Inputs of the build besides the source. */
const recipe = [
  'scripts/build.ts',
  'scripts/build-program.ts',
  'scripts/code-cache.ts',
  'scripts/node-imports.ts',
  'scripts/node-version.js',
  'scripts/program-loader.ts',
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
  return files.filter((file) => /\.c?js$/.test(file) && sourceName.test(readFileSync(join(folder, file), 'utf8')));
}

/** Returns the inputs, files of src/ and of the build itself, each with a value that changes whenever the file does. */
function stamps(root: string): Map<string, string> {
  const stamp = (file: string): string => {
    const { size, ctimeMs } = statSync(join(root, file));
    return `${size} ${ctimeMs}`;
  };
  return new Map([...recipe, ...sourceFiles(root)].map((file) => [file, stamp(file)]));
}

async function buildAll(root: string): Promise<boolean> {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  // Read first: if a file is edited during the build, its stamp no longer matches.
  const before = stamps(root);
  const program = await buildProgram({ root }, dist);
  const sandbox = await build({
    ...{ absWorkingDir: root, entryPoints: sandboxEntries, outdir: dist, outExtension: { '.js': '.cjs' } },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node24', logLevel: 'warning', metafile: true },
  });
  const page = await buildPage(root, join(dist, 'console'));
  writeFileSync(join(dist, 'type-descriptions.txt'), descriptionsText(typeDescriptions(root)));
  const declared = declare(root, join(dist, 'types'));
  const left = filesNamingSource(dist);
  for (const file of left) console.log(`dist/${file} names a .ts file in new URL()`);
  if (!declared || left.length > 0 || !writeCodeCache(dist)) return false;
  // Written last, so that an incomplete build is never run. Types alone do not affect what runs.
  const used = [...before].filter(
    ([file]) => recipe.includes(file) || [...program, sandbox.metafile, page].some(({ inputs }) => file in inputs),
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
    const start = [...publicEntries, ...Object.keys(sandboxEntries)].map((name) => `${name}.d.ts`);
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
