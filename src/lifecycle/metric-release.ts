// A declared metric in a release of Kubernetes: its stability, labels and buckets there, and whether the release has and
// shows it. Metrics are declared as in the release served by default, but with the labels of all releases.

import { lookup } from '../base/lookup.ts';
import type { DeclaredMetric, MetricDeclaration, Stability } from './declared-metric.ts';
import { METRIC_HISTORY } from './metric-history.ts';
import { isSince } from './version.ts';

/** The release from which on the stability of a deprecated metric decides how long it is shown. */
const PERIODS_SINCE = 35;

/** Number of releases in which a deprecated metric is still shown. */
const PERIODS: Readonly<Record<Stability, number>> = { STABLE: 3, BETA: 1, ALPHA: 0, INTERNAL: 0 };

/** The same before, for every metric. */
const EARLIER_PERIOD = 3;

/**
 * The metric as a release has it; undefined if the release does not.
 *
 * @param minor of Kubernetes 1
 */
export function metricIn<Label extends string>(
  { declaration, type, bounds }: DeclaredMetric<Label>,
  minor: number,
): DeclaredMetric<Label> | undefined {
  const history = METRIC_HISTORY[declaration.name] ?? {};
  const { since = 0, until = Number.POSITIVE_INFINITY, changes = [], ...first } = history;
  if (!isSince({ minor }, since) || minor > until) return undefined;
  const { deprecatedIn, ...rest } = declaration;
  const isDeprecated = deprecatedIn !== undefined && isSince({ minor }, minorOf(deprecatedIn));
  const states = [
    { ...rest, bounds, ...(isDeprecated && { deprecatedIn }), ...first },
    ...changes.filter((change) => isSince({ minor }, change.since)).map(({ since: _since, ...change }) => change),
  ];
  const { bounds: shown, ...changed } = Object.assign({}, ...states) as MetricDeclaration<Label> & DeclaredBounds;
  return { declaration: changed, type, ...(shown !== undefined && { bounds: shown }) };
}

type Values = Readonly<Partial<Record<string, string>>>;

const inGroup = ({ group = '', resource = '' }: Values): string => (group === '' ? resource : `${resource}.${group}`);

/** Labels of releases before 1.34 that say what group and resource say since. */
const INSTEAD_OF_GROUP: Readonly<Record<string, (values: Values) => string>> = lookup({
  resource: inGroup,
  type: inGroup,
  resource_prefix: ({ resource = '' }: Values) => `/${resource}`,
});

/**
 * How a release has the values of labels whose names or meaning it has otherwise; undefined if it has none.
 *
 * @param declared the labels of the declaration
 * @param shown those of the release
 */
export function labelsBefore(
  declared: readonly string[],
  shown: readonly string[],
): ((values: Values) => Values) | undefined {
  if (!declared.includes('group') || shown.includes('group')) return undefined;
  const derived = Object.entries(INSTEAD_OF_GROUP).filter(([label]) => shown.includes(label));
  if (derived.length === 0) return undefined;
  return (values) => ({ ...values, ...Object.fromEntries(derived.map(([label, of]) => [label, of(values)])) });
}

interface DeclaredBounds {
  readonly bounds: readonly number[] | undefined;
}

/**
 * Whether a release hides a metric because of its deprecation.
 *
 * @param declaration as the release has it
 */
export function isHiddenIn(minor: number, { stability, deprecatedIn }: MetricDeclaration<string>): boolean {
  if (deprecatedIn === undefined) return false;
  const period = isSince({ minor }, PERIODS_SINCE) ? PERIODS[stability] : EARLIER_PERIOD;
  return isSince({ minor }, minorOf(deprecatedIn) + period);
}

/** @param version such as `1.34.0` */
function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
