// Texts and what sigs.k8s.io/yaml makes of them, which Kubernetes reads bodies with: values and errors to the letter.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringifyJson } from './json-writer.ts';
import { parseYaml, YamlError } from './yaml-reader.ts';

interface Outcome {
  readonly json?: string;
  readonly error?: string;
  /** What strict decoding reports in addition. */
  readonly duplicates?: readonly string[];
}

/** A text, or its bytes in base64 if it is not UTF-8. */
type Fact = Outcome & ({ readonly text: string } | { readonly bytes: string });

function factsOf(name: string): Fact[] {
  const lines = readFileSync(new URL(`../../test/fixtures/yaml/${name}`, import.meta.url), 'utf8');
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Fact);
}

const facts = factsOf('facts.jsonl');
const moreFacts = factsOf('scalars-keys-encodings.jsonl');

async function outcome(text: string | Uint8Array): Promise<Outcome> {
  try {
    const { value, duplicates } = await parseYaml(text);
    return { json: stringifyJson(value), ...(duplicates.length > 0 && { duplicates }) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { error: error.message };
  }
}

test(`${facts.length} YAML texts are read as by Kubernetes`, async () => {
  assert.ok(facts.length > 400);
  for (const fact of facts) {
    const { text, ...expected } = fact as Outcome & { text: string };
    const { duplicates: _, ...found } = await outcome(text);
    // Go escapes more characters than there need be.
    const json = expected.json === undefined ? {} : { json: JSON.stringify(JSON.parse(expected.json)) };
    assert.deepEqual(found, { ...expected, ...json }, JSON.stringify(text));
  }
});

/** Without the sign of zero. */
function normal(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

test(`${moreFacts.length} YAML numbers, keys, tags, merges, directives and encodings are read as by Kubernetes`, async () => {
  assert.ok(moreFacts.length > 2500);
  for (const fact of moreFacts) {
    const { json, error, duplicates } = fact;
    const source = 'text' in fact ? Buffer.from(fact.text) : Buffer.from(fact.bytes, 'base64');
    const found = await outcome(source);
    // Go escapes more characters than there need be, and writes numbers with other digits.
    const value = json === undefined ? {} : { json: normal(json) };
    const expected = { ...value, ...(error !== undefined && { error }), ...(duplicates && { duplicates }) };
    const { json: text, ...others } = found;
    assert.deepEqual(
      { ...(text !== undefined && { json: normal(text) }), ...others },
      expected,
      JSON.stringify(source.toString('latin1')),
    );
  }
});

test('the cost of a YAML text is limited while it is read, and other work runs meanwhile', async () => {
  const megabytes = 3_000_000;
  const texts: [text: string, refused: RegExp | undefined][] = [
    ['['.repeat(megabytes), /^yaml: exceeded max depth of 10000$/],
    [`[${'[],'.repeat(megabytes / 3)}`, /did not find expected node content$/],
    ['- a\n'.repeat(megabytes / 4), undefined],
    ['a: 1\n'.repeat(megabytes / 5), undefined],
    [`[&a [[[[1]]]],${'*a,'.repeat(megabytes / 10)}]`, /excessive aliasing$/],
    ['? '.repeat(megabytes / 2), /exceeded max depth/],
  ];
  for (const [text, refused] of texts) {
    let pauses = 0;
    const start = process.cpuUsage();
    const reading = parseYaml(text, { pause: async () => void pauses++ });
    if (refused === undefined) await reading;
    else await assert.rejects(reading, { message: refused });
    const { user } = process.cpuUsage(start);
    assert.ok(user < 10_000_000, `${text.slice(0, 10)} took ${user} µs`);
    assert.ok(pauses > 10, `${text.slice(0, 10)} gave ${pauses} others their turn`);
  }
});
