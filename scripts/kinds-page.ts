// Writes docs/kinds.md: a row for every built-in kind, and how many of the conversations recorded with kube-apiserver
// about its defaults, rules, updates, subresources and columns are answered alike. `node scripts/kinds-page.ts` writes
// the page, a test keeps it current.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCatalog } from '../src/resources/catalog.ts';
import type { ResourceDefinition } from '../src/resources/definition.ts';
import { readPassing } from '../test/conformance/passing.ts';
import type { Area } from '../test/conformance/scenario.ts';

const ROOT = join(import.meta.dirname, '..');

/** The areas whose conversations are named after the kind that they are about. */
const AREAS = ['kinds', 'workloads', 'subresources'];

/** What conversations are about, by the words after the kind's name; the last takes what is left. */
const TOPICS: readonly (readonly [title: string, words: RegExp])[] = [
  ['defaults', /^defaults/],
  ['rules', /^(?:accepted|refused|rules|invalid|missing)/],
  ['updates', /^(?:updates|fixed)/],
  ['columns', /^(?:columns|denied-columns|table)/],
  ['subresources', /^status/],
  ['others', /./],
];

interface Tally {
  recorded: number;
  alike: number;
}

/** The page's text. */
export function kindsPage(): string {
  const conversations = AREAS.flatMap(conversationsOf);
  const { definitions } = createCatalog({ runtimeConfig: { 'api/all': 'true' } });
  const rows = definitions.map((definition) => row(definition, conversations));
  const head = ['resource', 'versions', 'served below it', ...TOPICS.map(([title]) => title)];
  return [
    '# Built-in kinds',
    '',
    'How each kind compares with kube-apiserver v1.34, in conversations recorded with it: `3/4` says that three of four',
    'are answered alike. `test/conformance/conformance.test.ts` replays them; the areas `kinds`, `workloads` and',
    '`subresources` have conversations a kind, named after it. A dash says that none was recorded. Conversations that are',
    'about no kind in particular are counted in [compatibility.md](compatibility.md) by area.',
    '',
    'Written by `scripts/kinds-page.ts`.',
    '',
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows,
    '',
  ].join('\n');
}

interface Conversation {
  /** Its name without the area. */
  readonly name: string;
  readonly alike: boolean;
}

function conversationsOf(area: string): Conversation[] {
  const text = readFileSync(join(ROOT, `test/conformance/recorded/${area}.json`), 'utf8');
  const passing = readPassing(area);
  return (JSON.parse(text) as Area).scenarios.map(({ id }) => ({
    name: id.slice(area.length + 1),
    alike: passing.has(id),
  }));
}

function row(definition: ResourceDefinition, conversations: readonly Conversation[]): string {
  const tallies = TOPICS.map((): Tally => ({ recorded: 0, alike: 0 }));
  for (const { name, alike } of conversations) {
    const topic = topicOf(name, definition);
    const tally = topic === undefined ? undefined : tallies[TOPICS.findIndex(([, words]) => words.test(topic))];
    if (tally === undefined) continue;
    tally.recorded++;
    if (alike) tally.alike++;
  }
  const { group, resource, versions, subresources } = definition;
  const cells = [
    `\`${group === '' ? resource : `${resource}.${group}`}\``,
    versions.map(({ version }) => version).join(', '),
    Object.keys(subresources).join(', '),
    ...tallies.map(({ recorded, alike }) => (recorded === 0 ? '–' : `${alike}/${recorded}`)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The words behind a kind's name, which stands first or last, in the singular or plural; undefined for other kinds. */
function topicOf(name: string, { resource, kind }: ResourceDefinition): string | undefined {
  for (const own of [kind.toLowerCase(), resource]) {
    if (name.startsWith(`${own}-`)) return name.slice(own.length + 1);
    if (name.endsWith(`-${own}`)) return name.slice(0, -own.length - 1);
    const inside = name.indexOf(`-${own}-`);
    if (inside >= 0) return name.slice(0, inside);
  }
  return undefined;
}

/** Brings the page up to date. */
export function writeKindsPage(): void {
  writeFileSync(join(ROOT, 'docs/kinds.md'), kindsPage());
}

if (import.meta.main) writeKindsPage();
