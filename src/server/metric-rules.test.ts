import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../base/log.ts';
import { metricRules } from './metric-rules.ts';
import { metricProblems } from './options/metrics.ts';
import { defaultServerOptions } from './options.ts';

test('a manifest of allowed metric labels applies unless the flag is set, and an invalid one is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-metrics-'));
  try {
    const path = join(folder, 'labels.yaml');
    const options = { ...defaultServerOptions, allowMetricLabelsManifest: path };
    const errors: string[] = [];
    const log = { ...silentLog, error: (message: string) => errors.push(message) };
    const allowed = async (more: object = {}) => (await metricRules({ ...options, ...more }, log)).allowedLabels;
    assert.deepEqual(await allowed(), {});
    assert.equal(errors.length, 1);
    writeFileSync(path, 'm,l: "a,b"\n');
    assert.deepEqual(await allowed(), { 'm,l': 'a,b' });
    assert.deepEqual(await allowed({ allowMetricLabels: { 'n,k': 'x' } }), { 'n,k': 'x' });
    writeFileSync(path, '- a\n');
    assert.deepEqual(await allowed(), {});
    assert.equal(errors.length, 2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a metric label with allowed values is given with its metric', () => {
  const problems = (key: string) => metricProblems({ ...defaultServerOptions, allowMetricLabels: { [key]: 'a' } });
  assert.deepEqual(problems('metric,label'), []);
  const expected =
    '--allow-metric-labels must have a list of kv pair with format `metricName,labelName=labelValue, labelValue,...`';
  assert.deepEqual(problems('metric'), [expected]);
});

test('hidden metrics are shown for the previous release only', () => {
  const problems = (version: string) =>
    metricProblems({ ...defaultServerOptions, showHiddenMetricsForVersion: version });
  assert.deepEqual(problems('1.33'), []);
  for (const version of ['1.34', '1.32', 'yes', '1.33.0']) {
    assert.deepEqual(problems(version), [
      "--show-hidden-metrics-for-version must be omitted or have the value '1.33'. Only the previous minor version is allowed",
    ]);
  }
});
