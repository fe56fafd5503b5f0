// Declarations of metrics: name, description, stability class and labels, and what differs by release.

/** Kubernetes' stability classes of metrics. */
export type Stability = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE';

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
  /**
   * Whether each serving thread tells a value of the whole process, the store, a configuration or a time, so that their
   * common page has the greatest. Others are added up.
   */
  readonly sharedByThreads?: boolean;
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A declared metric. */
export interface DeclaredMetric<Label extends string = string> {
  readonly declaration: MetricDeclaration<Label>;
  readonly type: MetricType;
  /** Of histograms. */
  readonly bounds?: readonly number[];
}

/** What changes in a metric with a minor release. */
interface MetricChange {
  readonly since: number;
  readonly stability?: Stability;
  /** As `1.34.0`. */
  readonly deprecatedIn?: string;
  readonly labels?: readonly string[];
  /** The upper bounds of buckets. */
  readonly bounds?: readonly number[];
  readonly help?: string;
}

/** The releases of Kubernetes 1 that have a metric, and how it is in the first of them, as far as that changes. */
export interface MetricHistory extends Omit<MetricChange, 'since'> {
  /** The first minor release with the metric, if that is not the first known one. */
  readonly since?: number;
  /** The last one with it. */
  readonly until?: number;
  /** The oldest first. */
  readonly changes?: readonly MetricChange[];
}
