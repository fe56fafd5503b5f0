// Texts and what sigs.k8s.io/yaml makes of them, which Kubernetes reads bodies with: values and errors to the letter.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringifyJson } from './json-writer.ts';
import { parseYaml, YamlError } from './yaml-reader.ts';

interface Fact {
  readonly text: string;
  readonly json?: string;
  readonly error?: string;
}

const file = new URL('../../test/fixtures/yaml/facts.jsonl', import.meta.url);
const facts = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Fact);

async function outcome(text: string): Promise<Omit<Fact, 'text'>> {
  try {
    return { json: stringifyJson((await parseYaml(text)).value) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { error: error.message };
  }
}

test(`${facts.length} texts read as Kubernetes reads them`, async () => {
  assert.ok(facts.length > 400);
  for (const { text, ...expected } of facts) {
    const found = await outcome(text);
    // Go escapes more characters than there need be.
    const json = expected.json === undefined ? {} : { json: JSON.stringify(JSON.parse(expected.json)) };
    assert.deepEqual(found, { ...expected, ...json }, JSON.stringify(text));
  }
});

test('what a text may cost is bounded while it is read, and others have their turn', async () => {
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
