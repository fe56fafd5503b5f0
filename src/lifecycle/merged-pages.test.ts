import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedPages } from './merged-pages.ts';

const merged = (...pages: string[]) => [...mergedPages(pages, new Set(['process_open_fds']))].join('');

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

test('a page for several serving threads has the greatest value of a metric that they share', () => {
  const page = (value: string) => {
    return `# HELP process_open_fds Help.\n# TYPE process_open_fds gauge\nprocess_open_fds ${value}\n`;
  };
  assert.equal(merged(page('17'), page('19'), page('18')), page('19'));
});

test('metrics of a single serving thread are on the common page, in the order of names', () => {
  const page = (name: string) => `# HELP ${name} Help.\n# TYPE ${name} counter\n${name} 1\n`;
  assert.equal(merged(page('b') + page('c'), page('a')), page('a') + page('b') + page('c'));
});
