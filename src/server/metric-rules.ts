// Rules for metrics from options: disabled metrics and permitted label values.

import { readFile } from 'node:fs/promises';
import type { Log } from '../base/log.ts';
import type { MetricRules } from '../lifecycle/metrics.ts';
import { isMetricLabel, type MetricOptions } from './options/metrics.ts';

/** @returns the rules; a manifest that cannot be read is ignored and logged, as in kube-apiserver */
export async function metricRules(options: MetricOptions, log: Log): Promise<MetricRules> {
  const { disabledMetrics: disabled, allowMetricLabels: given, allowMetricLabelsManifest: manifest } = options;
  const fromFile = Object.keys(given).length === 0 && manifest !== undefined;
  return {
    disabled,
    allowedLabels: fromFile ? await readManifest(manifest, log) : given,
    showsHidden: options.showHiddenMetricsForVersion !== '',
    warn: (message) => log.warn(message),
  };
}

async function readManifest(path: string, log: Log): Promise<Readonly<Record<string, string>>> {
  try {
    const { parseYaml } = await import('../api/yaml-reader.ts');
    const { value } = await parseYaml(await readFile(path));
    return allowedLabels(value);
  } catch (error) {
    log.error('the manifest of allowed metric labels is not used', { path, error });
    return {};
  }
}

function allowedLabels(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a map');
  const allowed: Record<string, string> = {};
  for (const [label, values] of Object.entries(value)) {
    if (!isMetricLabel(label) || typeof values !== 'string') throw new Error(`not a metric's label: ${label}`);
    allowed[label] = values;
  }
  return allowed;
}
