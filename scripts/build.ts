// `npm run build`, and part of `npm ci`: dist/ from src/. The program is bundled into a few files, for loading hundreds
// is most of what a start takes; the declarations of types come from the compiler. Beside them stands a record of the
// source as it was, by which bin/keelson.js sees whether dist/ is what the source says.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** What is loaded by its name: the program, the parts of the public API, the thread of the store. */
const entries = {
  main: 'src/cli/main.ts',
  index: 'src/index.ts',
  cel: 'src/cel.ts',
  testing: 'src/testing.ts',
  'embedded-worker': 'src/store/embedded-worker.ts',
};

/** What the outcome depends on besides the source. */
const recipe = ['scripts/build.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** A file named as a string ('./worker.ts') is not rewritten by the compiler, and would be missing from dist/. */
const sourceName = /new URL\(\s*['"][^'"]+\.ts['"]/;

/** Files under `folder` that name a TypeScript file at run time. */
export function filesNamingSource(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.js') && sourceName.test(readFileSync(join(folder, file), 'utf8')));
}

/** The files of src/ and of the recipe, each with what changes whenever it does; bin/keelson.js reads it. */
function stamps(root: string): Record<string, string> {
  const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `src/${file}`);
  return Object.fromEntries(
    [...recipe, ...source].map((file) => {
      const { size, ctimeMs } = statSync(join(root, file));
      return [file, `${size} ${ctimeMs}`];
    }),
  );
}

/**
 * Takes Node's modules as objects, as require() does. An import statement for one of them reads all that it exports, which
 * loads what is behind: with that of node:crypto the whole of Web Crypto, and so on.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }));
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

async function buildAll(root: string): Promise<boolean> {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  // Read first: a file that is edited while this runs no longer fits its stamp.
  const before = stamps(root);
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    // Beside the worker, which is found by its file's place. Named after what they hold.
    chunkNames: '[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    plugins: [nodeModules],
    logLevel: 'warning',
  });
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const left = filesNamingSource(dist);
  for (const file of left) console.log(`dist/${file} names a .ts file in new URL()`);
  if (status !== 0 || left.length > 0) return false;
  // Written last: what was begun and not finished is never run.
  writeFileSync(join(dist, 'built-from.json'), JSON.stringify(before));
  return true;
}

if (import.meta.main) process.exitCode = (await buildAll(join(import.meta.dirname, '..'))) ? 0 : 1;
