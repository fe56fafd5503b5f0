// YAML: a text read in slices of any size is the same value or has the same fault as one read at once, and what is written
// is read as the same value.

import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { ApiError } from '../../../src/api/errors.ts';
import { stringifyJson } from '../../../src/api/json-writer.ts';
import { withSortedMembers } from '../../../src/api/member-order.ts';
import { parseYaml, YamlError } from '../../../src/api/yaml-reader.ts';
import { stringifyYaml } from '../../../src/api/yaml-writer.ts';
import { type Format, laterOutcomeOf, randomOf } from './format.ts';
import { mutateText } from './mutations.ts';

const words = [
  '- ',
  '? ',
  ': ',
  'a: ',
  '\n',
  '\n  ',
  '\n\t',
  '\r',
  '&a ',
  '*a',
  '<<: ',
  '<<: *a',
  '!!str ',
  '!!binary ',
  '!!int ',
  '!!set ',
  '!<tag:yaml.org,2002:',
  '%YAML 1.1\n',
  '%TAG ! tag:a,2000:\n',
  '---\n',
  '...\n',
  '|',
  '>2-\n',
  '|+\n',
  '"',
  "'",
  '\\x41',
  '\\N',
  '[',
  ']',
  '{',
  '}',
  ',',
  '#',
  '~',
  'null',
  'y',
  '.inf',
  '.nan',
  '0x1F',
  '0o17',
  '017',
  '1_000',
  '190:20:30',
  '2001-01-01',
  '=',
  '@',
  '`',
  '\xef\xbb\xbf',
  '\xff\xfe',
  '\xc2\x85',
  '\xe2\x80\xa8',
  '\x07',
];

export const yaml: Format = {
  name: 'yaml',
  words,
  mutate: (input, other, random) => mutateText(input, other, { random, words }),
  judge: judgeDocument,
};

async function judgeDocument(input: Buffer): Promise<void> {
  const whole = await read(input, { tokens: Number.POSITIVE_INFINITY, slices: 1 });
  const tokens = 1 + randomOf(input).below(20);
  // Each token takes some steps, and aliases copy no more than their budget.
  const sliced = await read(input, { tokens, slices: 100 + 40 * input.length + MOST_COPIES });
  assert.equal(sliced.fault, whole.fault, 'the same fault in slices as at once');
  if (whole.value === undefined) return;
  const text = stringifyJson(whole.value.value);
  assert.equal(stringifyJson(sliced.value!.value), text, 'the same value in slices as at once');
  assert.deepEqual(sliced.value!.duplicates, whole.value.duplicates);
  assert.equal(sliced.value!.nodes, whole.value.nodes);
  assert.equal(stringifyJson(withSortedMembers(whole.value.value)), text, 'members are sorted');
  const again = await parseYaml(stringifyYaml(whole.value.value));
  assert.equal(stringifyJson(again.value), text, 'what is written is what was read');
}

/** What aliases may copy before they are refused as excessive. */
const MOST_COPIES = 4_000_000;

function read(input: Buffer, { tokens, slices }: { readonly tokens: number; readonly slices: number }) {
  let left = slices;
  const pause = () => assert.ok(left-- > 0, 'the work is bounded by the length');
  return laterOutcomeOf(() => parseYaml(input, { pause, tokens }), YamlError, ApiError);
}
