// Every regular expression of the source is one that no text can make slow. Whoever writes one that goes back over its
// text writes it otherwise, or reads the text by a loop: clients write the texts.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { check } from 'recheck';
import { regexLiterals } from './regex-literals.ts';

const root = join(import.meta.dirname, '..');

/** Patterns that see no client's text, or that the detector cannot judge; with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/cli/': 'reads the command line',
};
/** Patterns that the detector gives up on, by how they begin. */
const LINEAR_START = 40;
const LINEAR = new Set([
  // Host names, of texts of up to 255 characters.
  String.raw`^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p`.slice(0, LINEAR_START),
  // Names of images, of texts of up to 1,024 characters.
  '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'.slice(0, LINEAR_START),
]);

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

/** Each pattern once, with the first place that has it. */
function patternsIn(paths: readonly string[]): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const file of paths) {
    if (Object.keys(ALLOWED).some((allowed) => file.startsWith(allowed))) continue;
    for (const { source, flags, line } of regexLiterals(readFileSync(join(root, file), 'utf8'))) {
      const key = `/${source}/${flags}`;
      if (!found.has(key)) found.set(key, { source, flags, place: `${file}:${line}` });
    }
  }
  return [...found.values()];
}

/** The patterns that modules put together of texts when they are loaded. */
async function builtPatterns(paths: readonly string[]): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Built = globalThis.RegExp;
  const recording = new Proxy(Built, {
    construct(target, given: [RegExp | string, string?], newTarget) {
      const pattern = Reflect.construct(target, given, newTarget) as RegExp;
      found.push({ source: pattern.source, flags: pattern.flags, place: 'built of texts' });
      return pattern;
    },
  });
  globalThis.RegExp = recording;
  try {
    for (const file of paths) await import(pathToFileURL(join(root, file)).href);
  } finally {
    globalThis.RegExp = Built;
  }
  return [...new Map(found.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
}

/** How slow a text can make a pattern; undefined where time grows with the text and no faster. */
async function fault({ source, flags }: Pattern): Promise<string | undefined> {
  const found = await check(source, flags, { checker: 'automaton', timeout: 20_000 });
  if (found.status === 'safe') return undefined;
  return found.status === 'vulnerable' ? found.complexity.summary : 'unknown';
}

async function slowAmong(patterns: readonly Pattern[]): Promise<object[]> {
  const slow: object[] = [];
  for (const pattern of patterns) {
    const found = LINEAR.has(pattern.source.slice(0, LINEAR_START)) ? undefined : await fault(pattern);
    if (found !== undefined) slow.push({ ...pattern, fault: found });
  }
  return slow;
}

/** Tests end in a minute; a machine that does several things at once needs it for this many. */
const AT_ONCE = 40;

describe('no text makes a regular expression slow', () => {
  const literals = patternsIn(files);

  test('the regular expressions of the sources are found', () =>
    assert.ok(literals.length > 150, `${literals.length}`));

  test('the detector finds those that are', async () => {
    for (const source of ['^(a+)+$', '\\s+$', '^(?:\\d+\\.?\\d*)+$']) {
      assert.notEqual(await fault({ source, flags: '', place: '' }), undefined, source);
    }
  });

  for (let start = 0; start < literals.length; start += AT_ONCE) {
    test(`no text makes the regular expressions written in the sources slow, from number ${start} on`, async () => {
      assert.deepEqual(await slowAmong(literals.slice(start, start + AT_ONCE)), []);
    });
  }

  test('no text makes a regular expression that is built of texts slow', async () => {
    const building = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('new RegExp('));
    const built = await builtPatterns(building);
    assert.ok(built.length > 10, `${built.length}`);
    assert.deepEqual(await slowAmong(built), []);
  });
});
