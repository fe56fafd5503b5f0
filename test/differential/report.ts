// Report of a run, for people and as JSON.

import { type Group, unanswered, verbOf } from './groups.ts';
import type { Result } from './run.ts';

const shownLines = 6;
const shownCharacters = 600;

export function report({ counts, groups }: Result): unknown {
  return {
    counts: Object.fromEntries(counts),
    groups: groups.map((group) => ({ ...group, resources: [...group.resources] })),
  };
}

export function printReport(area: string, seed: number, result: Result): void {
  const { counts, groups } = result;
  for (const [number, group] of groups.entries()) printGroup(number + 1, group);
  for (const [verb, { answers, sameStatus, same }] of counts) {
    if (verb.endsWith(unanswered)) {
      process.stdout.write(`${area}, seed ${seed}, ${verb}: ${answers}\n`);
      continue;
    }
    const percent = (part: number) => `${((100 * part) / answers).toFixed(2)} %`;
    process.stdout.write(
      `${area}, seed ${seed}, ${verb}: ${answers} answers, status equal ${percent(sameStatus)} (${answers - sameStatus} not), ` +
        `whole answer ${percent(same)} (${answers - same} not), ${groups.length} rules\n`,
    );
  }
}

function printGroup(number: number, { count, resources, steps, lines, rule }: Group): void {
  process.stdout.write(`#${number} ×${count} [${[...resources].slice(0, 8).join(' ')}] ${rule}\n`);
  for (const step of steps) {
    const body = step.body === undefined ? '' : ` ${JSON.stringify(step.body)}`.slice(0, shownCharacters);
    const query = Object.keys(step.query ?? {}).length === 0 ? '' : ` ${JSON.stringify(step.query)}`;
    process.stdout.write(`    ${verbOf(step)} ${step.path}${query}${body}\n`);
  }
  for (const line of lines.slice(0, shownLines)) process.stdout.write(`      ${line.slice(0, shownCharacters)}\n`);
}
