// Options of metrics: those that are not to be shown, and the values that labels may have.

export interface MetricOptions {
  /** Names of metrics that are not shown. */
  readonly disabledMetrics: readonly string[];
  /** By `metric,label`, the values that the label may have, with commas between them; others become `unexpected`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** A file in YAML that says the same; it counts where the option above is not given. */
  readonly allowMetricLabelsManifest: string | undefined;
}

export const defaultMetricOptions: MetricOptions = {
  disabledMetrics: [],
  allowMetricLabels: {},
  allowMetricLabelsManifest: undefined,
};

const METRIC_LABEL = /^[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Everything that is wrong with them, in kube-apiserver's words. */
export function metricProblems({ allowMetricLabels }: MetricOptions): string[] {
  if (Object.keys(allowMetricLabels).every(isMetricLabel)) return [];
  const format = '`metricName,labelName=labelValue, labelValue,...`';
  return [`--allow-metric-labels must have a list of kv pair with format ${format}`];
}

/** Whether a text names a label of a metric: `metric,label`. */
export function isMetricLabel(text: string): boolean {
  return METRIC_LABEL.test(text);
}
