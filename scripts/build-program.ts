// The bundles that the package consists of: the whole program as one CommonJS file, program.cjs, and for each of its entry
// points a small ES module that loads it (scripts/program-loader.ts). Threads that do one thing have bundles of their own.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { namesFromNode, nodeModules } from './node-imports.ts';

/** Entry points of the program: itself, and the threads that run all of it. */
const programEntries = {
  main: 'src/cli/main.ts',
  'serving-thread': 'src/server/threads/serving-thread.ts',
};

/** Threads that run a small part of the program. */
const workerEntries = {
  'embedded-worker': 'src/store/embedded-worker.ts',
  'openapi-worker': 'src/http/documents/openapi-worker.ts',
};

/** The parts of the public API. */
export const publicEntries = {
  index: 'src/index.ts',
  cel: 'src/cel.ts',
  testing: 'src/testing.ts',
  vitest: 'src/vitest.ts',
  'node-test': 'src/node-test.ts',
  'jest-environment': 'src/jest-environment.ts',
};

/** Where the modules of the program are: all in one place, beside the threads' bundles and the files that they read. */
const PLACE = `const programPlace = process.getBuiltinModule('node:url').pathToFileURL(__dirname + '/program.js').href;`;

/** Loads the program once for all entry points. */
const ONCE = `import { loadProgram } from './program-loader.js';\n\nexport const program = loadProgram(import.meta.dirname);\n`;

/** CommonJS packages load Node's modules with `require`, which ES modules do not have. */
const REQUIRE = `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`;

const isSource = (file: string): boolean => /\.(?:tsx?|css|html)$/.test(file) && !file.endsWith('.test.ts');

/** Returns the files of src/ that something is built from, relative to the checkout. */
export function sourceFiles(root: string): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter(isSource).map((file) => `src/${file.replaceAll('\\', '/')}`);
}

/** What the bundles are made of. */
export interface ProgramSource {
  /** The checkout. */
  readonly root: string;
  /** Whether dependencies are bundled, too, for a program that is not installed. */
  readonly withDependencies?: boolean;
}

/**
 * Writes the bundles to a folder and returns what they were made of.
 * @throws Error when a file cannot be bundled; esbuild has printed why
 */
export async function buildProgram(source: ProgramSource, outdir: string): Promise<Metafile[]> {
  const { root, withDependencies = false } = source;
  const names = namesFromNode(sourceFiles(root).map((file) => join(root, file)));
  const common = {
    absWorkingDir: root,
    ...{ bundle: true, platform: 'node', target: 'node24', logLevel: 'warning', metafile: true },
    // Older versions of Node must be able to parse the files to report that they are too old.
    supported: { using: false },
    ...(withDependencies ? {} : { packages: 'external' }),
    ...{ sourcemap: true, sourcesContent: false },
    plugins: [nodeModules(names)],
  } satisfies BuildOptions;
  const entries: Readonly<Record<string, string>> = { ...programEntries, ...publicEntries };
  const program = await build({
    ...common,
    stdin: { contents: entryTable(entries), resolveDir: root, loader: 'ts' },
    outfile: join(outdir, 'program.cjs'),
    format: 'cjs',
    banner: { js: PLACE },
    define: { 'import.meta.url': 'programPlace' },
    // `import` of a package needs a loader, which a script does not have.
    supported: { using: false, 'dynamic-import': false },
    write: false,
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of program.outputFiles) writeFileSync(path, path.endsWith('.map') ? text : asciiOnly(text));
  const workers = await build({
    ...common,
    ...{ entryPoints: workerEntries, outdir, format: 'esm' },
    ...(withDependencies && { banner: { js: REQUIRE } }),
    inject: [join(root, 'scripts/node-version.js')],
  });
  await build({
    ...{ absWorkingDir: root, entryPoints: ['scripts/program-loader.ts'], outdir, platform: 'node' },
    inject: [join(root, 'scripts/node-version.js')],
    plugins: [nodeModules(namesFromNode([join(root, 'scripts/program-loader.ts')]))],
    ...{ bundle: true, format: 'esm', target: 'node24', logLevel: 'warning' },
  });
  writeFileSync(join(outdir, 'program.js'), ONCE);
  for (const [name, exports] of await exportsOf(root, entries)) {
    writeFileSync(join(outdir, `${name}.js`), entryModule(name, exports));
  }
  return [program.metafile, workers.metafile];
}

/** A module whose members run the entries. */
function entryTable(entries: Readonly<Record<string, string>>): string {
  const members = Object.entries(entries).map(
    ([name, file]) => `  ${JSON.stringify(name)}: () => require('./${file}'),`,
  );
  return `module.exports = {\n${members.join('\n')}\n};\n`;
}

/** An ES module with the exports of an entry. */
function entryModule(name: string, exports: readonly string[]): string {
  const lines = ["import { program } from './program.js';", ''];
  const call = `program[${JSON.stringify(name)}]();`;
  lines.push(exports.length === 0 ? call : `export const { ${exports.join(', ')} } = ${call}`);
  return `${lines.join('\n')}\n`;
}

/** What each entry exports besides types. */
async function exportsOf(root: string, entryPoints: Readonly<Record<string, string>>): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints, outdir: 'dist', write: false, metafile: true },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  const outputs = Object.values(metafile.outputs);
  return new Map(
    Object.entries(entryPoints).map(([name, file]) => [
      name,
      outputs.find(({ entryPoint }) => entryPoint === file)!.exports.toSorted(),
    ]),
  );
}

/** Escapes other characters, so that a script takes a byte for each in memory. */
function asciiOnly(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
