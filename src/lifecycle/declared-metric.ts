// How a metric is declared: its name, description, stability class and labels.

/** Kubernetes' stability classes of metrics. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDeclaration<Label extends string = never> {
  readonly name: string;
  /** The description, one sentence; the stability class is prepended. */
  readonly help: string;
  readonly stability: Stability;
  /** Those of all releases. */
  readonly labels?: readonly Label[];
  /** The release that deprecated the metric, as `1.34.0`. */
  readonly deprecatedIn?: string;
  /** Whether the type of metric itself is experimental, which the help then says first. */
  readonly experimental?: boolean;
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A declared metric. */
export interface DeclaredMetric<Label extends string = string> {
  readonly declaration: MetricDeclaration<Label>;
  readonly type: MetricType;
  /** Of histograms. */
  readonly bounds?: readonly number[];
}
