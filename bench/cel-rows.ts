// Expressions in this process: the cost of compiling one, and of evaluating it on an object. If Go is installed, cel-go
// is measured with the same expressions (bench/cel-go), configured as in kube-apiserver.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Json } from '../src/api/object.ts';
import { Environment } from '../src/cel/environment.ts';
import { standardLibrary } from '../src/cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../src/cel/library/standard-macros.ts';
import { DYN } from '../src/cel/types/type.ts';
import { readUntyped } from '../src/expressions/untyped-value.ts';
import type { Bench } from './bench.ts';
import type { Figures } from './figures.ts';

const OBJECT: Json = {
  replicas: 3,
  maxReplicas: 5,
  name: 'web',
  names: ['a0', 'abcd1', 'abcdbcd2', 'a3', 'abcd4', 'abcdbcd5', 'a6', 'abcd7', 'abcdbcd8', 'a9'],
};

const EXPRESSIONS: readonly (readonly [name: string, text: string])[] = [
  ['comparison', 'self.replicas <= self.maxReplicas'],
  ['equality', "self.name == 'web'"],
  [
    'comparison, all of 10',
    "self.replicas <= self.maxReplicas && self.names.all(n, n.startsWith('a') && size(n) < 20)",
  ],
  ['map and filter of 10', "self.names.map(n, n + 'x').filter(n, n.size() > 3).size() > 2"],
  ['pattern on 10', "self.names.all(n, n.matches('^[a-z0-9]+$'))"],
];

const OPTIONS = { costLimit: 1_000_000, presenceTestCost: 0 } as const;

export async function celRows(bench: Bench): Promise<void> {
  const environment = new Environment({
    libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }],
    variables: [{ name: 'self', type: DYN }],
    crossTypeNumericComparisons: true,
  });
  const compile = (text: string) => environment.program(environment.compile(text).checked!, OPTIONS);
  const inGo = measureCelGo();
  for (const [index, [name, text]] of EXPRESSIONS.entries()) {
    const program = compile(text);
    bench.row(
      `rule evaluated: ${name}`,
      measure(bench, () => program.evaluate({ self: readUntyped(OBJECT) })),
    );
    bench.row(
      `rule compiled: ${name}`,
      measure(bench, () => compile(text)),
    );
    const figures = inGo[index];
    if (figures === undefined) continue;
    bench.row(`cel-go evaluates: ${name}`, perCall(figures.evaluateNs));
    bench.row(`cel-go compiles: ${name}`, perCall(figures.compileNs));
  }
}

/** Returns the processor time of one call, after a warm-up. */
function measure({ seconds, warmUpSeconds }: Bench, call: () => void): Figures {
  repeat(warmUpSeconds * 100, call);
  const before = process.cpuUsage();
  const calls = repeat(seconds * 100, call);
  const { user, system } = process.cpuUsage(before);
  return perCall(((user + system) * 1_000) / calls);
}

/** Repeats the call for so many milliseconds; returns how often. */
function repeat(ms: number, call: () => void): number {
  const end = performance.now() + ms;
  let calls = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 50; i++) call();
    calls += 50;
  }
  return calls;
}

function perCall(nanos: number): Figures {
  return { perSecond: 1e9 / nanos, cpuMicros: nanos / 1_000 };
}

/** By expression; empty without Go, or without cel-go in its cache. */
function measureCelGo(): readonly { readonly compileNs: number; readonly evaluateNs: number }[] {
  const run = spawnSync('go', ['run', '.', JSON.stringify(OBJECT)], {
    cwd: join(import.meta.dirname, 'cel-go'),
    input: EXPRESSIONS.map(([, text]) => text).join('\n'),
    encoding: 'utf8',
  });
  if (run.status !== 0) return [];
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
