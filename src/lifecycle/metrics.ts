// The metric registry: counters, gauges and histograms with labels and stability classes, in Prometheus' text format.
// An observation must cost next to nothing, so callers keep the series they looked up; the text is generated at scrape
// time.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { DeclaredMetric, MetricDeclaration, MetricType } from './declared-metric.ts';
import { isHiddenIn, labelsBefore, metricIn } from './metric-release.ts';
import { Counter, Gauge, Histogram, type Series } from './metric-series.ts';
import { escapeHelp, labelText, nativeLine } from './metric-text.ts';
import { NativeHistogram } from './native-histogram.ts';
import { TimingHistogram } from './timing-histogram.ts';
import { CURRENT_MINOR } from './version.ts';

export type { DeclaredMetric, Stability } from './declared-metric.ts';
export type { Counter, Gauge, Histogram } from './metric-series.ts';

type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** The label values of the series for everything beyond the limit. */
const overflowValue = 'unexpected';

/** The operator's settings for metrics. */
export interface MetricRules {
  /** Names of disabled metrics. */
  readonly disabled: readonly string[];
  /** Permitted label values by `metric,label`, separated by commas. */
  readonly allowedLabels: Readonly<Record<string, string>>;
  /** Whether metrics that were hidden after their deprecation are shown. */
  readonly showsHidden?: boolean;
  /** Whether histograms also count in native ones. */
  readonly nativeHistograms?: boolean;
  /** Receives messages for the operator. */
  readonly warn?: (message: string) => void;
}

/** Permitted values of labels of one metric; other labels are not restricted. */
type AllowedValues = ReadonlyMap<string, ReadonlySet<string>>;

/** All series of one metric, by label values. */
export class MetricFamily<Label extends string, Kind extends Series> {
  readonly #labels: readonly Label[];
  readonly #make: () => Kind;
  readonly #onOverflow: () => void;
  readonly #allowed: AllowedValues | undefined;
  readonly #before: FamilyParts<Kind>['before'];
  readonly #series = new Map<string, { series: Kind; labels: string; wasReset: boolean }>();

  constructor(labels: readonly Label[], { make, onOverflow, allowed, before }: FamilyParts<Kind>) {
    // Sorted by name, as in Prometheus' own clients.
    this.#labels = [...labels].sort();
    this.#make = make;
    this.#onOverflow = onOverflow;
    this.#allowed = allowed;
    this.#before = before;
  }

  /**
   * The series with these labels, created if new: a lookup of some hundred nanoseconds, so keep the result. Beyond the
   * limit on series, every new combination shares one series whose labels are all `unexpected`.
   */
  with(given: LabelValues<Label>): Kind {
    const values = this.#valuesOf(given);
    let key = '';
    for (const label of this.#labels) key += `${values[label]}\xff`;
    const known = this.#series.get(key);
    if (known !== undefined) return known.series;
    if (this.#series.size < limits.metricSeries) return this.#add(key, (label) => values[label]);
    this.#onOverflow();
    return this.#series.get(overflowValue)?.series ?? this.#add(overflowValue, () => overflowValue);
  }

  /** Removes the series with these labels, if there is one. */
  remove(given: LabelValues<Label>): void {
    const values = this.#valuesOf(given);
    let key = '';
    for (const label of this.#labels) key += `${values[label]}\xff`;
    this.#series.delete(key);
  }

  #valuesOf(given: LabelValues<Label>): LabelValues<Label> {
    const shown = this.#before === undefined ? given : (this.#before(given) as LabelValues<Label>);
    return this.#allowed === undefined ? shown : this.#allowedOf(shown, this.#allowed);
  }

  #allowedOf(given: LabelValues<Label>, allowed: AllowedValues): LabelValues<Label> {
    const values: Record<Label, string> = { ...given };
    for (const label of this.#labels) {
      if (allowed.get(label)?.has(given[label]) !== false) continue;
      this.#onOverflow();
      values[label] = overflowValue;
    }
    return values;
  }

  #add(key: string, value: (label: Label) => string): Kind {
    const series = this.#make();
    const labels = labelText(this.#labels.map((label) => [label, value(label)]));
    this.#series.set(key, { series, labels, wasReset: false });
    return series;
  }

  /** Series with labels disappear until something is counted again, as in Prometheus' own clients. */
  reset(): void {
    for (const each of this.#series.values()) {
      each.series.reset?.();
      each.wasReset = each.labels !== '';
    }
  }

  /** The lines of each series, generated on demand. @param withNative with those of native histograms */
  *write(name: string, withNative = false): Iterable<string> {
    const shown = [...this.#series.values()].filter(({ series, wasReset }) => !wasReset || series.isZero !== true);
    const sorted = shown.sort((one, other) => (one.labels < other.labels ? -1 : 1));
    for (const { series, labels } of sorted) {
      yield series.write(name, labels);
      const counts = withNative ? series.native?.() : undefined;
      if (counts !== undefined) yield nativeLine(name, labels, counts);
    }
  }
}

interface FamilyParts<Kind> {
  readonly make: () => Kind;
  /** Called for each lookup that was mapped to the shared series. */
  readonly onOverflow: () => void;
  readonly allowed: AllowedValues | undefined;
  /** The values as a release has them that has the labels otherwise. */
  readonly before: ReturnType<typeof labelsBefore>;
}

/** A value read at scrape time. */
export interface Sample<Label extends string> {
  readonly labels: LabelValues<Label>;
  readonly value: number;
}

interface Registered extends DeclaredMetric {
  /** The current lines of each series. */
  write(withNative: boolean): Iterable<string>;
  reset?(): void;
}

/** All metrics of a server, as the release of Kubernetes that it serves has them. */
export class MetricRegistry {
  /** The minor version of that release. */
  readonly minor: number;
  readonly #metrics = new Map<string, Registered>();
  readonly #rules: MetricRules;
  #overflows = 0;
  #hidden = 0;

  constructor(rules: MetricRules = { disabled: [], allowedLabels: {} }, minor: number = CURRENT_MINOR) {
    this.#rules = rules;
    this.minor = minor;
  }

  counter<Label extends string = never>(declaration: MetricDeclaration<Label>): MetricFamily<Label, Counter> {
    return this.#family(declaration, { type: 'counter', make: () => new Counter() });
  }

  gauge<Label extends string = never>(declaration: MetricDeclaration<Label>): MetricFamily<Label, Gauge> {
    return this.#family(declaration, { type: 'gauge', make: () => new Gauge() });
  }

  /** `bounds` are the increasing upper bounds of buckets; +Inf is added. */
  histogram<Label extends string = never>(
    declaration: MetricDeclaration<Label>,
    bounds: readonly number[],
  ): MetricFamily<Label, Histogram> {
    const native = this.#rules.nativeHistograms === true;
    const make = (shown: readonly number[]) => new Histogram(shown, native ? new NativeHistogram() : undefined);
    return this.#family(declaration, { type: 'histogram', make, bounds });
  }

  /** `bounds` as for other histograms; each nanosecond of the clock is an observation. */
  timingHistogram<Label extends string = never>(
    declaration: MetricDeclaration<Label>,
    { bounds, clock }: { bounds: readonly number[]; clock: Clock },
  ): MetricFamily<Label, TimingHistogram> {
    const make = (shown: readonly number[]) => new TimingHistogram(shown, clock);
    return this.#family({ ...declaration, experimental: true }, { type: 'histogram', make, bounds });
  }

  /** A metric whose values are read at scrape time. */
  collected<Label extends string = never>(
    declared: MetricDeclaration<Label>,
    type: 'counter' | 'gauge',
    read: () => Iterable<Sample<Label>>,
  ): void {
    const metric = metricIn({ declaration: declared, type }, this.minor);
    if (metric === undefined) return;
    const { declaration } = metric;
    const write = () => {
      const family = this.#newFamily(declaration, declared, () => new Gauge());
      for (const { labels, value } of read()) family.with(labels).set(value);
      return family.write(declaration.name);
    };
    this.#register({ ...metric, write });
  }

  /** If the release has no such metric, the result is shown nowhere. */
  #family<Label extends string, Kind extends Series>(
    declared: MetricDeclaration<Label>,
    { type, make, bounds }: { type: MetricType; make: (bounds: readonly number[]) => Kind; bounds?: readonly number[] },
  ): MetricFamily<Label, Kind> {
    const given: DeclaredMetric<Label> = { declaration: declared, type, ...(bounds !== undefined && { bounds }) };
    const metric = metricIn(given, this.minor);
    const { declaration, bounds: shown = [] } = metric ?? given;
    const family = this.#newFamily(declaration, declared, () => make(shown));
    // A metric without labels has one series from the start: it reads 0 rather than being absent.
    if (declaration.labels === undefined) family.with({} as LabelValues<Label>);
    if (metric === undefined) return family;
    const write = (withNative: boolean) => family.write(declaration.name, withNative);
    this.#register({ ...metric, write, reset: () => family.reset() });
    return family;
  }

  #newFamily<Label extends string, Kind extends Series>(
    { name, labels = [] }: MetricDeclaration<Label>,
    declared: MetricDeclaration<Label>,
    make: () => Kind,
  ): MetricFamily<Label, Kind> {
    const onOverflow = () => {
      this.#overflows++;
    };
    const before = labelsBefore(declared.labels ?? [], labels);
    return new MetricFamily(labels, { make, onOverflow, allowed: this.#allowed(name), before });
  }

  #allowed(metric: string): AllowedValues | undefined {
    const allowed = new Map<string, ReadonlySet<string>>();
    for (const [name, values] of Object.entries(this.#rules.allowedLabels)) {
      const [of = '', label = ''] = name.split(',');
      if (of === metric) allowed.set(label, new Set(values.split(',')));
    }
    return allowed.size === 0 ? undefined : allowed;
  }

  #register(metric: Registered): void {
    const { name } = metric.declaration;
    if (this.#metrics.has(name)) throw new Error(`metric ${name} is declared twice`);
    if (this.#rules.disabled.includes(name) || this.#isHidden(metric.declaration)) this.#hidden++;
    else this.#metrics.set(name, metric);
  }

  /** Whether a metric is hidden because of its deprecation; if it is shown nevertheless, the operator is warned. */
  #isHidden(declaration: MetricDeclaration<string>): boolean {
    const { name, deprecatedIn } = declaration;
    if (deprecatedIn === undefined) return false;
    const { showsHidden = false, warn } = this.#rules;
    if (!isHiddenIn(this.minor, declaration)) {
      warn?.(`The metric ${name} has been deprecated since ${deprecatedIn}`);
      return false;
    }
    if (showsHidden)
      warn?.(`Hidden metrics (${name}) have been manually overridden, showing this very deprecated metric.`);
    return !showsHidden;
  }

  /** A deprecated alias of another metric: it costs nothing until it is scraped. */
  alias<Label extends string, Kind extends Series>(
    declaration: MetricDeclaration<Label>,
    type: MetricType,
    family: MetricFamily<Label, Kind>,
  ): void {
    const metric = metricIn({ declaration, type }, this.minor);
    if (metric === undefined) return;
    this.#register({ ...metric, write: (withNative) => family.write(declaration.name, withNative) });
  }

  /** The declared metrics, for the metrics about metrics. */
  declarations(): Iterable<MetricDeclaration<string>> {
    return this.#metrics.values().map(({ declaration }) => declaration);
  }

  /** The same with additional information, for the documentation. */
  declared(): Iterable<DeclaredMetric> {
    return this.#metrics.values();
  }

  /** The names of metrics that the serving threads of a process share. */
  shared(): ReadonlySet<string> {
    const shared = this.#metrics.values().filter(({ declaration }) => declaration.sharedByThreads === true);
    return new Set(shared.map(({ declaration }) => declaration.name));
  }

  /** The number of metrics that the operator disabled, existing or not. */
  get disabled(): number {
    return this.#rules.disabled.length;
  }

  /** The number of hidden metrics. */
  get hidden(): number {
    return this.#hidden;
  }

  /** The number of lookups beyond the limit on series, or with a label value that is not permitted. */
  get overflows(): number {
    return this.#overflows;
  }

  /** Resets counters and histograms; gauges and values read at scrape time are unchanged. */
  reset(): void {
    for (const metric of this.#metrics.values()) metric.reset?.();
  }

  /**
   * All metrics in Prometheus' text format, sorted by name, without those that have no series.
   *
   * @param withNative with comments that tell native histograms (`nativeLine`)
   */
  text(withNative = false): string {
    return [...this.parts(withNative)].join('');
  }

  /** The same in small parts, each generated on demand. */
  *parts(withNative = false): Iterable<string> {
    for (const name of [...this.#metrics.keys()].sort()) {
      const metric = this.#metrics.get(name)!;
      let isFirst = true;
      for (const lines of metric.write(withNative)) {
        if (isFirst) yield headOf(metric);
        isFirst = false;
        yield lines;
      }
    }
  }
}

function headOf({ declaration, type }: Registered): string {
  const { name, stability, deprecatedIn, experimental = false } = declaration;
  const deprecated = deprecatedIn === undefined ? '' : `(Deprecated since ${deprecatedIn}) `;
  const prefix = `${experimental ? 'EXPERIMENTAL: ' : ''}[${stability}] `;
  const help = escapeHelp(`${prefix}${deprecated}${declaration.help}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}
