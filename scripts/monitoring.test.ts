import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { allMetrics } from './metrics-page.ts';

const folder = join(import.meta.dirname, '../docs/monitoring');
const metrics = new Map(allMetrics().map((metric) => [metric.declaration.name, metric]));
/** Names that stand in expressions and are not metrics. */
const FUNCTION = /^(?:sum|by|rate|histogram_quantile|topk|absent|le)$/;

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
}

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[];
  }[];
}

/** Metrics of an expression with the labels that it names. */
function* used(expr: string): Iterable<{ name: string; labels: readonly string[] }> {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '));
  const plain = expr.replaceAll(/\bby \([^)]*\)/g, '');
  for (const [, name, selector = ''] of plain.matchAll(/\b([a-z][a-z_]*[a-z])\b(?!\()(?:\{([^}]*)\})?/g)) {
    if (FUNCTION.test(name!) || !name!.includes('_')) continue;
    if (plain.includes(`"${name}`)) continue;
    const selected = [...selector.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label]) => label!);
    yield {
      name: name!,
      labels: [...selected, ...grouped].filter((label) => !['job', 'le', 'instance'].includes(label)),
    };
  }
}

function check(expr: string): void {
  const outside = expr.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\bby \([^)]*\)/g, '');
  const names = [...outside.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)]
    .map(([name]) => name)
    .filter((name) => !FUNCTION.test(name));
  assert.ok(names.length > 0, expr);
  for (const name of names) {
    const metric = metrics.get(name) ?? metrics.get(name.replace(/_bucket$/, ''));
    assert.ok(metric !== undefined, `${name} in ${expr}`);
    const isBucket = name.endsWith('_bucket');
    assert.equal(metric.type === 'histogram', isBucket, name);
  }
  for (const { name, labels } of used(expr)) {
    const metric = metrics.get(name) ?? metrics.get(name.replace(/_bucket$/, ''));
    if (metric === undefined) continue;
    for (const label of labels) assert.ok(metric.declaration.labels?.includes(label), `${label} of ${name} in ${expr}`);
  }
}

test('the dashboard asks for metrics and labels that there are', () => {
  const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as Dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { targets } of panels) for (const { expr } of targets) check(expr);
});

test('alerts ask for metrics and labels that there are, and say what to do', () => {
  const { groups } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as Alerts;
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 5);
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { expr, annotations } of rules) {
    check(expr);
    assert.deepEqual(Object.keys(annotations), ['summary', 'description']);
  }
});
