// The writer of src/resources/builtin/declared-tags.ts: the tags of declared validation from the table of facts.

import { inRelease, type Span, type TypeTable } from './table.ts';
import type { FieldFacts } from './type-facts.ts';

/** The first release that enforces declared validation beyond a few fields. */
const FIRST = 36;
/**
 * Tags that change nothing for the interpreter: what is not required may be absent, and of the tags in alpha, whose errors
 * are not told, only those count that end the validation of what is below.
 */
const WITHOUT_EFFECT = /^(?:optional|deprecated|supportsSubresource|isSubresource|listType=atomic|enum$)/;

function hasEffect(tag: string): boolean {
  if (tag.startsWith('alpha(')) return tag.endsWith('=+k8s:immutable');
  // What is optional in one mode is forbidden in the others.
  const isOptional = tag.endsWith('=+k8s:optional') && !tag.includes('ifMode(');
  return !isOptional && !WITHOUT_EFFECT.test(tag);
}

/** The text of declared-tags.ts. @param minors the releases of the table */
export function tagDeclarations(table: TypeTable, minors: readonly number[]): string {
  const enforced = minors.filter((minor) => minor >= FIRST);
  const blocks = Object.entries(table).flatMap(([type, { fields }]) => {
    const rows = Object.entries(fields).flatMap(([field, spans]) => {
      const spansOfTags = tagSpans(spans, enforced);
      return spansOfTags.length === 0 ? [] : [`    ${key(field)}: [${spansOfTags.join(', ')}],\n`];
    });
    return rows.length === 0 ? [] : [`  '${type}': {\n${rows.join('')}  },\n`];
  });
  return `// The tags of declared validation of built-in types, in the releases that enforce them: from 1.${FIRST} on. Loaded if one of
// them is served. Written by \`npm run kubernetes\`.

import { lookup } from '../../base/lookup.ts';

/** Tags from a release on, until the next entry. */
export type TagsSince = readonly [since: number, ...tags: string[]];

/** By type and field. */
export const DECLARED_TAGS: Readonly<Record<string, Readonly<Record<string, readonly TagsSince[]>>>> = lookup<
  Readonly<Record<string, readonly TagsSince[]>>
>({
${blocks.join('')}});
`;
}

/** `[36, 'required'], [37, 'required', 'immutable']` */
function tagSpans(spans: readonly Span<FieldFacts>[], minors: readonly number[]): string[] {
  const out: string[] = [];
  let before = '';
  for (const minor of minors) {
    const tags = (inRelease(spans, minor)?.rules ?? []).filter(hasEffect);
    const text = tags.map((tag) => `, '${tag.replaceAll("'", "\\'")}'`).join('');
    if (text !== before) out.push(`[${minor}${text}]`);
    before = text;
  }
  return out;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
