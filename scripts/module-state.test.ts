// No module of src/ keeps state: servers in one process must not share what one of them concluded, and tests must not
// depend on their order.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/**
 * Constants of a module that can change: variables, and containers and buffers that begin empty. A WeakMap is none of
 * them: what it remembers belongs to its keys, and a value must depend on nothing but its key.
 */
const STATE = [
  /^ +(?:(?:public|private|protected) )?static (?!readonly|async|get |\*)([#\w]+)(?:: [^=(]*)? = /gm,
  /^ +static readonly ([#\w]+)(?:: (?!Readonly|readonly)[^=(]*)? = (?:new (?:Map|Set|Array)(?:<.*>)?\(\)|\[\]|\{\});/gm,
  /^(?:export )?(?:let|var) (\w+)/gm,
  /^(?:export )?const (\w+)(?:: (?!Readonly)[^=]*)? = new (?:Map|Set|Array|[A-Z]\w*Buffers?)(?:<.*>)?\((?:\)|\(\))/gm,
  /^(?:export )?const (\w+)(?:: (?!readonly|Readonly)[^=]*)? = (?:\[\]|\{\});/gm,
  /^(?:export )?const (\w+)(?:: [^=]*)? = Buffer\.alloc\w*\((?!0\))/gm,
];

/** The console's page is one program in one tab; a worker serves one thread. */
const ALONE = /^src\/(?:page\/|.*-worker\.ts$)/;

/** Each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/base/resumed.ts: running': 'the computation on the stack, undefined as soon as it returns',
};

test('no module of src/ keeps state', () => {
  const found = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !ALONE.test(file))
    .flatMap((file) => stateIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`))
    .toSorted();
  assert.deepEqual(found, Object.keys(EXCEPTIONS).toSorted());
});

test('variables, empty containers and buffers of a module are state, and constants are not', () => {
  const state = [
    'let last = 0;',
    'export let count: number;',
    'const known = new Map<string, Promise<unknown>>();',
    'export const seen: Set<string> = new Set();',
    'const list: string[] = [];',
    'const table = {};',
    'const block = Buffer.allocUnsafeSlow(1024);',
    '  static #waiting: Writer[] = [];',
    '  static count = 0;',
    '  static readonly #known = new Map<string, number>();',
  ];
  assert.deepEqual(stateIn(state.join('\n')).length, state.length);
  const constants = [
    'const NAMES: ReadonlySet<string> = new Set();',
    "const NAMES = new Set(['a']);",
    'const memory = new WeakMap<Node, Read>();',
    'const NONE: readonly string[] = [];',
    'const NOTHING = Buffer.alloc(0);',
    '  let local = 0;',
    '  static readonly most = 7;',
    '  static async silent(options: Options = {}): Promise<Serving> {',
    '  static of(name = 1): Thing {',
  ];
  assert.deepEqual(stateIn(constants.join('\n')), []);
});

function stateIn(text: string): string[] {
  return STATE.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name as string));
}
