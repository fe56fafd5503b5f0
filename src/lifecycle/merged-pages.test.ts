import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedPages } from './merged-pages.ts';

const merged = (...pages: string[]) => [...mergedPages(pages)].join('');

test('counts in the metrics of serving threads are added up for each series', () => {
  const head = '# HELP apiserver_request_total [STABLE] Requests.\n# TYPE apiserver_request_total counter\n';
  assert.equal(
    merged(
      `${head}apiserver_request_total{verb="GET"} 2\n`,
      `${head}apiserver_request_total{verb="GET"} 3\napiserver_request_total{verb="LIST"} 1\n`,
    ),
    `${head}apiserver_request_total{verb="GET"} 5\napiserver_request_total{verb="LIST"} 1\n`,
  );
});

test('process metrics and timestamps of serving threads are shown once', () => {
  const head = (name: string) => `# HELP ${name} Help.\n# TYPE ${name} gauge\n`;
  for (const name of ['process_resident_memory_bytes', 'apiserver_storage_objects', 'a_last_timestamp_seconds']) {
    const page = (value: string) => `${head(name)}${name} ${value}\n`;
    assert.equal(merged(page('1.5e+09'), page('1.6e+09')), page('1.6e+09'));
  }
});

test('metrics of a single serving thread are on the common page, in the order of names', () => {
  const page = (name: string) => `# HELP ${name} Help.\n# TYPE ${name} counter\n${name} 1\n`;
  assert.equal(merged(page('b') + page('c'), page('a')), page('a') + page('b') + page('c'));
});
