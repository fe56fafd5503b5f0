// Options of metrics: disabled metrics and permitted label values.

import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';

export interface MetricOptions {
  /** Names of disabled metrics. */
  readonly disabledMetrics: readonly string[];
  /** Permitted label values by `metric,label`, separated by commas; others become `unexpected`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** A YAML file with the same content, used if the option above is not set. */
  readonly allowMetricLabelsManifest: string | undefined;
  /** The release whose hidden metrics are shown, such as `1.33`; '' for none. */
  readonly showHiddenMetricsForVersion: string;
}

export const defaultMetricOptions: MetricOptions = {
  disabledMetrics: [],
  allowMetricLabels: {},
  allowMetricLabelsManifest: undefined,
  showHiddenMetricsForVersion: '',
};

const METRIC_LABEL = /^[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*$/;

/** All errors, in kube-apiserver's words. */
export function metricProblems(options: MetricOptions & ReleaseOptions): string[] {
  const { allowMetricLabels, showHiddenMetricsForVersion: shown } = options;
  const problems: string[] = [];
  const previous = `1.${requestedRelease(options).binary.minor - 1}`;
  if (shown !== '' && shown !== previous) {
    problems.push(
      `--show-hidden-metrics-for-version must be omitted or have the value '${previous}'. Only the previous minor version is allowed`,
    );
  }
  if (!Object.keys(allowMetricLabels).every(isMetricLabel)) {
    const format = '`metricName,labelName=labelValue, labelValue,...`';
    problems.push(`--allow-metric-labels must have a list of kv pair with format ${format}`);
  }
  return problems;
}

/** Whether a text has the form `metric,label`. */
export function isMetricLabel(text: string): boolean {
  return METRIC_LABEL.test(text);
}
