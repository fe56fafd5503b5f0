// Keeps strategies small, and verbs and HTTP ignorant of whether a resource is custom: what concerns one kind is code of
// that kind, and what concerns custom objects is their codec.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Strategy } from '../src/resources/definition.ts';

/** How many members a strategy may have, and how many kinds have to set one. */
const MOST_MEMBERS = 20;
const FEWEST_KINDS = 3;
/** On how many lines verbs and HTTP may ask whether a resource is custom. */
const MOST_LINES = 10;

const DECLARATION = 'src/resources/definition.ts';
/** The words by which a definition is asked. */
const IS_CUSTOM = /\b[dD]efinition\.custom\b|^[^/*]*(?:[{,] |'|^ +)custom(?:'|\b(?=[,: }]))/;

/** The members of the interface of strategies. */
export function strategyMembers(source: string): string[] {
  const [, body = ''] = /^export interface Strategy<.*?\{\n(.*?)^\}/ms.exec(source) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name);
}

/** Whether a kind sets a member: it has it, and another value than most kinds. */
export function sets(strategy: Strategy, member: string, usual: Partial<Strategy>): boolean {
  const value = strategy[member as keyof Strategy];
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return value !== undefined && !isEmpty && value !== usual[member as keyof Strategy];
}

/** The lines of a source that ask whether a resource is custom. */
export function customLines(source: string): string[] {
  return source.split('\n').filter((line) => IS_CUSTOM.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line));
}

async function faults(root: string): Promise<string[]> {
  const { builtinResourcesIn } = await import('../src/resources/builtin/resources.ts');
  const { RELEASES } = await import('../src/lifecycle/version.ts');
  const members = strategyMembers(readFileSync(join(root, DECLARATION), 'utf8'));
  const definitions = RELEASES.flatMap(({ minor }) => builtinResourcesIn(minor));
  const usual: Partial<Strategy> = { nameRule: 'subdomain', createOnUpdate: false, unconditionalUpdate: true };
  const found =
    members.length > MOST_MEMBERS ? [`a strategy has ${members.length} members: ${members.join(', ')}`] : [];
  for (const member of members) {
    const kinds = new Set(
      definitions.filter(({ strategy }) => sets(strategy, member, usual)).map(({ group, kind }) => `${kind}.${group}`),
    );
    if (kinds.size < FEWEST_KINDS) found.push(`${member} of Strategy is set by ${kinds.size} kinds`);
  }
  const lines = globSync('src/{verbs,http}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('http/documents/'))
    .flatMap((file) => customLines(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`));
  if (lines.length > MOST_LINES)
    found.push(`verbs and http ask on ${lines.length} lines whether a resource is custom`, ...lines);
  return found;
}

if (import.meta.main) {
  const found = await faults(join(import.meta.dirname, '..'));
  for (const fault of found) console.log(fault);
  process.exitCode = found.length === 0 ? 0 : 1;
}
