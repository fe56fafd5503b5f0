// Keeps code small: limits the lines of a function, the lines of a file, parameters, and the sizes of nine in ten
// functions and files. Biome measures; tidy.json lists what may exceed a limit, with a reason and the number it must
// not grow beyond.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Exception {
  readonly file: string;
  /** The last part of the rule's name, as `noExcessiveLinesPerFile`. */
  readonly rule: string;
  /** The largest number for that rule in the file. */
  readonly measure: number;
  readonly reason: string;
}

export interface TidyExceptions {
  /** Folders and files that contain only declarations. */
  readonly tables: readonly { readonly path: string; readonly reason: string }[];
  readonly exceptions: readonly Exception[];
}

interface Diagnostic {
  readonly category: string;
  readonly message: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

const checkout = join(import.meta.dirname, '..');
const FILE_RULE = 'noExcessiveLinesPerFile';
const FUNCTION_RULE = 'noExcessiveLinesPerFunction';
/** Limits on the lines of a test file, of a source file, and of a function. */
const MAX_TEST_LINES = 500;
const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;
/** The size within which nine in ten files and functions of src/ must stay. */
const MOST_FILES_LINES = 230;
const MOST_FUNCTIONS_LINES = 35;
const measured = ['src', 'test', 'scripts', 'bench'];

/** Returns what exceeds a limit under `root` without an exception, one line each. `root` contains tidy.json. */
export function tidyProblems(root: string, folders: readonly string[] = measured): string[] {
  const exceptions = JSON.parse(readFileSync(join(root, 'tidy.json'), 'utf8')) as TidyExceptions;
  return judge(measure(root, folders), exceptions);
}

function measure(root: string, folders: readonly string[]): Diagnostic[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(checkout, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      `--config-path=${join(checkout, 'scripts/tidy-biome.json')}`,
      '--reporter=json',
      '--max-diagnostics=none',
      '--no-errors-on-unmatched',
      ...folders,
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  const end = stdout.lastIndexOf('}');
  if (end < 0) throw new Error(`biome measured nothing: ${stderr}`);
  return (JSON.parse(stdout.slice(0, end + 1)) as { diagnostics: Diagnostic[] }).diagnostics;
}

function judge(diagnostics: readonly Diagnostic[], { tables, exceptions }: TidyExceptions): string[] {
  const problems: string[] = [];
  const largest = new Map<Exception, number>(exceptions.map((exception) => [exception, 0]));
  const most = { files: [] as number[], functions: [] as number[] };
  for (const { category, message, location } of diagnostics) {
    const { path } = location;
    // A comment that ignores a rule of the linter ignores none of these.
    if (category.startsWith('suppressions/')) continue;
    if (tables.some((table) => path === table.path || path.startsWith(`${table.path}/`))) continue;
    const rule = category.slice(category.lastIndexOf('/') + 1);
    if (isTest(path) && rule !== FILE_RULE) continue;
    const number = Number(/\d+/.exec(message)?.[0]);
    if (!isTest(path) && rule === FILE_RULE) most.files.push(number);
    else if (rule === FUNCTION_RULE) most.functions.push(number);
    if (number <= maxOf(rule, path)) continue;
    const exception = exceptions.find((candidate) => candidate.file === path && candidate.rule === rule);
    if (exception === undefined)
      problems.push(`${path}:${location.start.line}: ${told(rule, number, maxOf(rule, path))}`);
    else largest.set(exception, Math.max(largest.get(exception)!, number));
  }
  for (const [{ file, rule, measure }, number] of largest) {
    if (number > measure) problems.push(`${file}: ${rule} is ${number}, and tidy.json lets it be ${measure}`);
    if (number === 0) problems.push(`${file}: ${rule} is kept now: take the exception out of tidy.json`);
    else if (number < measure) problems.push(`${file}: ${rule} has shrunk to ${number}: lower it in tidy.json`);
  }
  return [
    ...problems,
    ...unusual('files', most.files, MOST_FILES_LINES),
    ...unusual('functions', most.functions, MOST_FUNCTIONS_LINES),
  ];
}

function maxOf(rule: string, path: string): number {
  if (rule === FUNCTION_RULE) return MAX_FUNCTION_LINES;
  if (rule === FILE_RULE) return isTest(path) ? MAX_TEST_LINES : MAX_FILE_LINES;
  return 0;
}

function told(rule: string, number: number, max: number): string {
  if (max === 0) return `a function has ${number} parameters, and may have 3`;
  return `a ${rule === FILE_RULE ? 'file' : 'function'} has ${number} lines, and may have ${max}`;
}

/** Whether fewer than nine in ten stay within so many lines. One-line functions are not counted. */
function unusual(what: string, lines: readonly number[], max: number): string[] {
  const tenth = lines.toSorted((a, b) => a - b)[Math.floor(lines.length * 0.9)] ?? 0;
  // A small number of them is not representative.
  return lines.length < 100 || tenth <= max
    ? []
    : [`nine of ten ${what} have up to ${tenth} lines, and may have ${max}`];
}

/** A suite is one function that contains its cases: only the length of its file is limited. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

if (import.meta.main) {
  const problems = tidyProblems(checkout);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
