// Unused exports: names that a file of src/ exports and no other file imports. They mislead readers into looking for
// users, and hide dead code from the compiler. `--fix` removes the word `export`; the compiler then reports dead code.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

interface Export {
  /** Relative to the root. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** The package's entry points: their exports are public API. */
const ENTRIES = [
  ...['src/index.ts', 'src/cel.ts', 'src/testing.ts'],
  ...['src/vitest.ts', 'src/node-test.ts', 'src/jest.ts', 'src/jest-environment.ts', 'src/testing/typed-requests.ts'],
];
const FOLDERS = ['src', 'test', 'scripts', 'bench'];

// Statements start at the beginning of a line, as formatted.
const declaration =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) (?<name>[\w$]+)/gm;
const named = /^(?:import|export)(?: type)? (?:[\w$]+, )?\{(?<names>[^}]*)\} from '(?<from>\.[^']+)'/gm;
const whole = /^(?:import|export)(?: type)? \*(?: as (?<as>[\w$]+))? from '(?<from>\.[^']+)'/gm;
const called = /\bimport\(\s*'(?<from>\.[^']+\.tsx?)'/g;

/** Returns the exports under `root` that nothing imports, by file and line. */
export function unusedExports(root: string): Export[] {
  const texts = new Map(sources(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const used = new Set<string>();
  for (const [file, text] of texts) {
    for (const { names, from } of groups(text, named)) {
      for (const name of importedNames(names!)) used.add(`${target(file, from!)} ${name}`);
    }
    const words = new Set(text.match(/[\w$]+/g));
    for (const { as, from } of [...groups(text, whole), ...groups(text, called)]) {
      const other = target(file, from!);
      // If the module is passed as a value, all of its exports are used; otherwise any word may be one of its names.
      const handedOn = as !== undefined ? isHandedOn(text, as) : /^export \*/m.test(text);
      for (const { name } of exportsOf(other, texts.get(other) ?? '')) {
        if (handedOn || words.has(name)) used.add(`${other} ${name}`);
      }
    }
  }
  return (
    [...texts]
      .filter(([file]) => file.startsWith('src/') && !file.endsWith('.test.ts') && !ENTRIES.includes(file))
      .flatMap(([file, text]) => exportsOf(file, text))
      // Type declarations are read as a whole, and the generated object types are available to any file.
      .filter(({ file, name }) => !file.startsWith('src/resources/builtin/') || !/^[A-Z]\w*[a-z]/.test(name))
      // The type of all metrics is inferred from the functions that declare them, and its declaration refers to them.
      .filter(({ file, name }) => !/^src\/lifecycle\/[a-z-]+-metrics\.ts$/.test(file) || !/^[A-Z]/.test(name))
      .filter(({ file, name }) => !used.has(`${file} ${name}`))
  );
}

function isHandedOn(text: string, as: string): boolean {
  return new RegExp(`(?<!\\* as )\\b${as}\\b(?!\\.)`).test(text);
}

function sources(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[mc]?[tj]sx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  ).sort();
}

function groups(text: string, pattern: RegExp): Record<string, string | undefined>[] {
  return [...text.matchAll(pattern)].map((match) => match.groups!);
}

/** Returns the names as the other file exports them: `a as b` imports a. */
function importedNames(list: string): string[] {
  return list
    .split(',')
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0]!,
    )
    .filter((name) => name !== '');
}

function target(file: string, from: string): string {
  return relative('/root', resolve('/root', dirname(file), from));
}

function exportsOf(file: string, text: string): Export[] {
  return [...text.matchAll(declaration)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    name: match.groups!['name']!,
  }));
}

export function takeAway(root: string, found: readonly Export[]): void {
  for (const [file, exports] of Map.groupBy(found, ({ file }) => file)) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    for (const { line } of exports) lines[line - 1] = lines[line - 1]!.replace(/^export /, '');
    writeFileSync(join(root, file), lines.join('\n'));
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const found = unusedExports(root);
  if (process.argv.includes('--fix')) takeAway(root, found);
  else for (const { file, line, name } of found) console.log(`${file}:${line}: nothing imports ${name}`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
