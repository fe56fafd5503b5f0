// The bundles that the package consists of. The command line is one small CommonJS file, command-line.cjs. The server is one
// large one, program.cjs, which a loader runs with compiled code (scripts/program-loader.ts). What commands load without
// a server are ES modules, so that a short command loads little. All take what the command line consists of from there:
// classes of errors are the same on all sides. Each entry point of the package has an ES module.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { namesFromNode, nodeModules } from './node-imports.ts';

type Entries = Readonly<Record<string, string>>;

const COMMAND_LINE = 'src/cli/main.ts';

/** Parts of the public API without a server, by the names of their files. */
const lightEntries: Entries = { cel: 'src/cel.ts' };

/** Threads that do one thing. */
const threadEntries: Entries = {
  'embedded-worker': 'src/store/embedded-worker.ts',
  'openapi-worker': 'src/http/documents/openapi-worker.ts',
};

/** Entry points with a server. */
const serverEntries: Entries = {
  'serving-thread': 'src/server/threads/serving-thread.ts',
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  vitest: 'src/vitest.ts',
  'node-test': 'src/node-test.ts',
  'jest-environment': 'src/jest-environment.ts',
};

/** The parts of the public API. */
export const publicEntries = ['index', 'cel', 'testing', 'vitest', 'node-test', 'jest-environment'] as const;

/** What makes a module one of the server: it needs this one. */
const SERVER = 'src/server/server.ts';

/** What runs the script. */
const LOADER = 'scripts/program-loader.ts';

/** Where the modules of the script are: all in one place, beside the threads and the files that they read. */
const PLACE = `const programPlace = process.getBuiltinModule('node:url').pathToFileURL(__dirname + '/program.js').href;`;

/** Loads the server once for all entry points. */
const ONCE = `import { loadProgram } from './program-loader.js';

export const { program, script } = loadProgram(import.meta.dirname);
`;

/** What bin/keelson.js runs. */
const MAIN = `import { m0 as commandLine } from './command-line.cjs';

export const { main } = commandLine;
`;

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
export async function buildProgram(
  { root, withDependencies = false }: ProgramSource,
  outdir: string,
): Promise<Metafile[]> {
  const common = {
    absWorkingDir: root,
    ...{ bundle: true, platform: 'node', target: 'node24', logLevel: 'warning', metafile: true },
    ...(withDependencies ? {} : { packages: 'external' }),
    // Names stay, and lines of some statements: stack traces say where something happened.
    ...{ minifyWhitespace: true, lineLimit: 120, sourcemap: true, sourcesContent: false },
  } satisfies BuildOptions;
  const parts = await partsOf(common);
  const nodes = nodeModules(namesFromNode([...sourceFiles(root), LOADER].map((file) => join(root, file))));
  const script = {
    ...common,
    ...{ format: 'cjs', write: false, banner: { js: PLACE } },
    define: { 'import.meta.url': 'programPlace' },
    // `import` of a package needs a loader, which a script does not have. Older versions of Node must be able to parse the
    // files to report that they are too old.
    supported: { using: false, 'dynamic-import': false },
  } satisfies BuildOptions;
  const modules = {
    ...common,
    ...{ outdir, format: 'esm', splitting: true, chunkNames: '[name]-[hash]', supported: { using: false } },
    inject: [join(root, 'scripts/node-version.js')],
    ...(withDependencies && { banner: { js: REQUIRE } }),
  } satisfies BuildOptions;
  const stdin = (contents: string): BuildOptions['stdin'] => ({ contents, resolveDir: root, loader: 'ts' });
  const outfile = (name: string): string => join(outdir, name);
  const core = coreModules(root, parts);
  const elsewhere = loadedElsewhere(root, parts);
  const built = await Promise.all([
    build({
      ...{ ...script, stdin: stdin(coreTable(parts)), outfile: outfile('command-line.cjs') },
      plugins: [elsewhere, nodes],
    }),
    build({
      ...{ ...script, stdin: stdin(entryTable(parts.server)), outfile: outfile('program.cjs') },
      plugins: [core, nodes],
    }),
    build({
      ...{ ...modules, entryPoints: parts.light },
      plugins: [core, elsewhere, nodes],
    }),
    build({ ...modules, entryPoints: threadEntries, plugins: [nodes] }),
    build({ ...modules, entryPoints: { 'program-loader': LOADER }, plugins: [nodes] }),
  ]);
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of built.flatMap(({ outputFiles }) => outputFiles ?? [])) {
    writeFileSync(path, path.endsWith('.map') ? text : asciiOnly(text));
  }
  writeFileSync(outfile('program.js'), ONCE);
  writeFileSync(outfile('main.js'), MAIN);
  for (const [name, file] of Object.entries(parts.server)) {
    writeFileSync(outfile(`${name}.js`), entryModule(name, parts.exportsOf(file)));
  }
  return built.map(({ metafile }) => metafile);
}

/** How the source is divided. Files are relative to the checkout. */
interface Parts {
  /** The modules of the command line, its main one first. */
  readonly core: readonly string[];
  /** The entries of what runs without a server. */
  readonly light: Entries;
  /** The entries of the server. */
  readonly server: Entries;
  /** What a module exports besides types. */
  exportsOf(file: string): readonly string[];
}

/** Divides the source along what the command line loads only when it is needed. */
async function partsOf(common: BuildOptions): Promise<Parts> {
  const graph = async (entryPoints: Entries | readonly string[]): Promise<Metafile> => {
    const isEsm = { splitting: true, format: 'esm', outdir: 'dist', write: false } as const;
    return (await build({ ...common, ...isEsm, entryPoints: entryPoints as Record<string, string> })).metafile!;
  };
  const { inputs } = await graph({ main: COMMAND_LINE, ...lightEntries, ...serverEntries });
  const importsOf = (file: string, ...kinds: string[]): string[] =>
    inputs[file]!.imports.filter(({ kind, external }) => kinds.includes(kind) && !external).map(({ path }) => path);
  const closure = (file: string, ...kinds: string[]): Set<string> => {
    const found = new Set([file]);
    for (const each of found) for (const path of importsOf(each, ...kinds)) found.add(path);
    return found;
  };
  const core = [...closure(COMMAND_LINE, 'import-statement')].filter((file) => file.startsWith('src/'));
  const isOfServer = (file: string): boolean => closure(file, 'import-statement', 'dynamic-import').has(SERVER);
  // What the command line loads, and what that loads.
  const light: Record<string, string> = { ...lightEntries };
  const server: Record<string, string> = { ...serverEntries };
  const all = new Set(core);
  for (const file of all) {
    for (const path of importsOf(file, 'import-statement')) all.add(path);
    for (const path of importsOf(file, 'dynamic-import')) {
      const entries = isOfServer(path) ? server : light;
      // What only a part that runs without a server loads is bundled with it.
      if (entries === server || core.includes(file)) entries[nameOf(path)] = path;
      if (entries === light) all.add(path);
    }
  }
  const { outputs } = await graph([...Object.values(server), ...core]);
  const exported = new Map(Object.values(outputs).map(({ entryPoint, exports }) => [entryPoint, exports.toSorted()]));
  return { core, light, server, exportsOf: (file) => exported.get(file)! };
}

/** The name of the file that loads a module: `src/server/launch.ts` is `server-launch`. */
function nameOf(file: string): string {
  return file
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-');
}

/** A module with the modules of the command line. */
function coreTable({ core }: Parts): string {
  return core.map((file, index) => `export * as m${index} from './${file}';`).join('\n');
}

/** Takes the modules of the command line from the one place where they are. */
function coreModules(root: string, { core, exportsOf }: Parts): Plugin {
  const places = new Map(core.map((file, index) => [join(root, file), index]));
  return {
    name: 'core-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/command-line\.cjs$/, namespace: 'core' }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path);
        return places.has(file) ? { path: file, namespace: 'core' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'core' }, ({ path }) => {
        const index = places.get(path)!;
        const taken = `import { m${index} as module } from './command-line.cjs';`;
        return { contents: `${taken}\n${exportsFrom('module', exportsOf(core[index]!))}` };
      });
    },
  };
}

/** Loads what is in other bundles from there: the server, and what the command line loads. */
function loadedElsewhere(root: string, { light, server }: Parts): Plugin {
  const entries = Object.entries({ ...light, ...server });
  const names = new Map(entries.map(([name, file]) => [join(root, file), name]));
  return {
    name: 'loaded-elsewhere',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const name = kind === 'dynamic-import' ? names.get(join(resolveDir, path)) : undefined;
        return name === undefined ? undefined : { path: `./${name}.js`, external: true };
      });
    },
  };
}

/** A module whose members run the entries. */
function entryTable(entries: Entries): string {
  const members = Object.entries(entries).map(([name, file]) => `  '${name}': () => require('./${file}'),`);
  return `module.exports = {\n${members.join('\n')}\n};\n`;
}

/** An ES module with the exports of an entry. */
function entryModule(name: string, exports: readonly string[]): string {
  return `import { program } from './program.js';\n\n${exportsFrom(`program['${name}']()`, exports)}\n`;
}

/** Exports members of an object, whose expression is evaluated once. */
function exportsFrom(object: string, names: readonly string[]): string {
  if (names.length === 0) return `${object};`;
  const members = names.map((name) => (name === 'default' ? 'default: byDefault' : name));
  const exported = names.map((name) => (name === 'default' ? 'byDefault as default' : name));
  return `const { ${members.join(', ')} } = ${object};\nexport { ${exported.join(', ')} };`;
}

/** Escapes other characters, so that a script takes a byte for each in memory. */
function asciiOnly(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
