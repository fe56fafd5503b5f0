// Options of metrics: those that are not to be shown, and the values that labels may have.

import { CURRENT_MINOR } from '../../lifecycle/version.ts';

export interface MetricOptions {
  /** Names of metrics that are not shown. */
  readonly disabledMetrics: readonly string[];
  /** By `metric,label`, the values that the label may have, with commas between them; others become `unexpected`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** A file in YAML that says the same; it counts where the option above is not given. */
  readonly allowMetricLabelsManifest: string | undefined;
  /** The release whose hidden metrics are shown, as `1.33`; '' for none. */
  readonly showHiddenMetricsForVersion: string;
}

export const defaultMetricOptions: MetricOptions = {
  disabledMetrics: [],
  allowMetricLabels: {},
  allowMetricLabelsManifest: undefined,
  showHiddenMetricsForVersion: '',
};

const METRIC_LABEL = /^[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Everything that is wrong with them, in kube-apiserver's words. */
export function metricProblems({ allowMetricLabels, showHiddenMetricsForVersion: shown }: MetricOptions): string[] {
  const problems: string[] = [];
  const previous = `1.${CURRENT_MINOR - 1}`;
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

/** Whether a text names a label of a metric: `metric,label`. */
export function isMetricLabel(text: string): boolean {
  return METRIC_LABEL.test(text);
}
