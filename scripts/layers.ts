// Checks dependencies: a folder of src/ imports only from the folders that layers.json lists for it, none of them on a
// higher floor, without cycles; and pure folders do not depend on Node. Files do not form import cycles either, here and
// in the other folders of programs. Imports of types and import() count like others.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The folders of programs beside src/, which may import anything. */
const PROGRAMS = ['bench', 'scripts', 'test'];

interface Folder {
  readonly floor: number;
  readonly imports: readonly string[];
}

interface Layers {
  readonly pure: readonly string[];
  /** By name; '' for the files directly in src/. */
  readonly folders: Readonly<Record<string, Folder>>;
}

/** One import statement: its file, relative to src/, and the specifier. */
interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
}

/**
 * Statements start at the beginning of a line, as formatted; import() and worker URLs may be anywhere but in comments.
 */
const statement = /^(?:import|export)\b[^;'"`]*?\bfrom\s*(['"])(?<from>[^'"]+)\1|^import\s*(['"])(?<bare>[^'"]+)\3/gm;
const call = /^(?!\s*(?:\/\/|\*|\/\*)).*?\b(?:import\(|new URL\()\s*(['"])(?<called>[^'"]+\.tsx?|node:[^'"]+)\1/gm;

/** Returns every violation under `root`, which contains layers.json and src/; one line each. */
export function layerProblems(root: string): string[] {
  const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Layers;
  const source = join(root, 'src');
  const files = sourcesIn(source);
  const imports = files.flatMap((file) => importsOf(source, file));
  const others = PROGRAMS.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  const unknown = [...new Set(files.map(folderOf))].filter((folder) => !Object.hasOwn(layers.folders, folder));
  return [
    ...tableProblems(layers),
    ...unknown.map((folder) => `src/${folder}: layers.json does not know this folder`),
    ...imports.flatMap((one) => importProblem(one, layers) ?? []),
    ...circles(imports),
    ...others.flatMap((folder) => fileCircles(sourcesIn(folder).flatMap((file) => importsOf(folder, file)))),
  ];
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource);
}

/** Tests may import anything. */
function isSource(file: string): boolean {
  return /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts');
}

function folderOf(file: string): string {
  const slash = file.indexOf('/');
  return slash < 0 ? '' : file.slice(0, slash);
}

function importsOf(source: string, file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(statement), ...text.matchAll(call)].map((match) => {
    const { from, bare, called } = match.groups!;
    const line = text.slice(0, match.index).split('\n').length;
    return { file, line, specifier: (from ?? bare ?? called)! };
  });
}

/**
 * Returns the folder of src/ that an import resolves to; undefined for packages, Node modules and files outside src/.
 */
function targetOf({ file, specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = relative('/src', resolve('/src', dirname(file), specifier));
  return target.startsWith('..') ? undefined : folderOf(target);
}

/** Returns the file of src/ that an import resolves to; undefined otherwise. */
function fileOf({ file, specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = relative('/src', resolve('/src', dirname(file), specifier));
  return target.startsWith('..') ? undefined : target;
}

function importProblem(one: Import, { pure, folders }: Layers): string | undefined {
  const from = folderOf(one.file);
  const place = `src/${one.file}:${one.line}`;
  if (one.specifier.startsWith('node:') && pure.includes(from)) return `${place}: ${from} is pure: no ${one.specifier}`;
  const to = targetOf(one);
  if (to === undefined) return one.specifier.startsWith('.') ? `${place}: ${one.specifier} is outside src` : undefined;
  if (to === from || folders[from] === undefined || folders[from].imports.includes(to)) return undefined;
  return `${place}: ${from || 'src'} may not import from ${to || 'src'} (${one.specifier})`;
}

/** Checks the table itself: its folders exist, and imports are not on a higher floor. */
function tableProblems({ pure, folders }: Layers): string[] {
  const problems = pure.filter((name) => folders[name] === undefined).map((name) => `pure folder ${name} is unknown`);
  for (const [name, { floor, imports }] of Object.entries(folders)) {
    for (const imported of imports) {
      const other = folders[imported];
      if (other === undefined) problems.push(`${name} lists ${imported}, which is unknown`);
      else if (other.floor > floor) problems.push(`${name} lists ${imported}, which is on a higher floor`);
      else if (pure.includes(name) && !pure.includes(imported)) problems.push(`${name} is pure, ${imported} is not`);
    }
  }
  return problems.map((problem) => `layers.json: ${problem}`);
}

/** Checks for cycles among folders and among a folder's files. */
function circles(imports: readonly Import[]): string[] {
  const folders = imports.map((one) => [folderOf(one.file), targetOf(one)] as const);
  return [...circlesOf(folders), ...fileCircles(imports.filter((one) => targetOf(one) === folderOf(one.file)))];
}

function fileCircles(imports: readonly Import[]): string[] {
  return circlesOf(imports.map((one) => [one.file, fileOf(one)] as const));
}

function circlesOf(pairs: Iterable<readonly [from: string, to: string | undefined]>): string[] {
  const edges = new Map<string, Set<string>>();
  for (const [from, to] of pairs) {
    if (to !== undefined && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (folder: string, path: readonly string[]): void => {
    const start = path.indexOf(folder);
    if (start >= 0) found.push(`circle: ${[...path.slice(start), folder].map((name) => name || 'src').join(' → ')}`);
    if (start >= 0 || done.has(folder)) return;
    for (const next of edges.get(folder) ?? []) walk(next, [...path, folder]);
    done.add(folder);
  };
  for (const folder of edges.keys()) walk(folder, []);
  return found;
}

if (import.meta.main) {
  const problems = layerProblems(join(import.meta.dirname, '..'));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
