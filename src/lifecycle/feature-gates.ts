// Feature gates: the --feature-gates flag parsed, checked against the table of known gates, and asked by name. Errors
// read as kube-apiserver's do, because people search for them.

import { type FeatureGateName, type FeatureGateSpec, featureGateTable, type GateStage } from './feature-gate-table.ts';
import { CURRENT_MINOR } from './version.ts';

/** What a gate was set to, by name; gates that are absent keep their defaults. */
type FeatureGateSettings = Readonly<Record<string, boolean>>;

/** A setting that kube-apiserver would refuse to start with; the message is for the person who wrote the flag. */
export class FeatureGateError extends Error {
  override name = 'FeatureGateError';
}

const table: Readonly<Record<string, readonly FeatureGateSpec[]>> = featureGateTable;

const PRE_ALPHA: FeatureGateSpec = { since: 0, stage: 'PREALPHA', default: false, locked: false };

/** The gates that switch every gate of a stage at once. */
const stageGates: readonly { name: FeatureGateName; stage: GateStage }[] = [
  { name: 'AllAlpha', stage: 'ALPHA' },
  { name: 'AllBeta', stage: 'BETA' },
];

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The truth values that Kubernetes' flags accept; undefined for anything else. */
export function parseBool(text: string): boolean | undefined {
  if (trueWords.has(text)) return true;
  return falseWords.has(text) ? false : undefined;
}

/**
 * Reads the value of --feature-gates: `Name=bool` separated by commas, all of them or none prefixed with `kube:`.
 * Whether there are such gates is checked by FeatureGates, which knows the emulated version.
 *
 * @throws FeatureGateError for a malformed pair and for prefixes that are unknown or mixed
 */
export function parseFeatureGates(text: string): FeatureGateSettings {
  const settings: Record<string, boolean> = {};
  const prefixes = new Set<string>();
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const { prefix, name, value } = splitPair(pair);
    prefixes.add(prefix);
    if (prefixes.size > 1) {
      throw new FeatureGateError(
        'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
      );
    }
    if (value === undefined) throw new FeatureGateError(`missing bool value for ${name}`);
    const enabled = parseBool(value);
    if (enabled === undefined) {
      throw new FeatureGateError(
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      );
    }
    settings[name] = enabled;
  }
  return settings;
}

function splitPair(pair: string): { prefix: string; name: string; value: string | undefined } {
  const colon = pair.indexOf(':');
  const prefix = colon < 0 ? '' : pair.slice(0, colon).trim();
  if (colon >= 0 && prefix !== 'kube') throw new FeatureGateError(`component not registered: ${prefix}`);
  const setting = pair.slice(colon + 1);
  const equals = setting.indexOf('=');
  if (equals < 0) return { prefix, name: setting.trim(), value: undefined };
  return { prefix, name: setting.slice(0, equals).trim(), value: setting.slice(equals + 1).trim() };
}

/** The newest entry that is not newer than the emulated version. */
function specAt(history: readonly FeatureGateSpec[], minor: number): FeatureGateSpec {
  return history.findLast(({ since }) => since <= minor) ?? PRE_ALPHA;
}

function checkSettings(settings: FeatureGateSettings, minor: number): void {
  for (const [name, enabled] of Object.entries(settings)) {
    const history = Object.hasOwn(table, name) ? table[name] : undefined;
    if (history === undefined) throw new FeatureGateError(`unrecognized feature gate: ${name}`);
    const { stage, locked, default: fixed } = specAt(history, minor);
    if (stage === 'PREALPHA') {
      throw new FeatureGateError(
        `cannot set feature gate ${name} to ${enabled}, feature is PreAlpha at emulated version 1.${minor}`,
      );
    }
    if (locked && fixed !== enabled) {
      throw new FeatureGateError(`cannot set feature gate ${name} to ${enabled}, feature is locked to ${fixed}`);
    }
  }
}

/** The state of every gate of one server; it does not change while the server runs. */
export class FeatureGates {
  readonly #settings: FeatureGateSettings;
  readonly #specs: ReadonlyMap<string, FeatureGateSpec>;
  readonly #enabled: ReadonlyMap<string, boolean>;

  /**
   * @param settings a gate's own setting wins over AllAlpha and AllBeta
   * @param minor the minor version of Kubernetes 1 that is emulated: it decides stages and defaults
   * @throws FeatureGateError for a gate that is unknown, does not exist yet, or is locked to the other value
   */
  constructor(settings: FeatureGateSettings = {}, minor: number = CURRENT_MINOR) {
    checkSettings(settings, minor);
    const specs = new Map(Object.entries(table).map(([name, history]) => [name, specAt(history, minor)]));
    const enabled = new Map([...specs].map(([name, spec]) => [name, spec.default]));
    for (const { name, stage } of stageGates) {
      const all = settings[name];
      if (all === undefined) continue;
      for (const [gate, spec] of specs) if (spec.stage === stage) enabled.set(gate, all);
    }
    // A stage gate is of that stage itself, and the other one must not switch it along: settings come last.
    for (const { name } of stageGates) enabled.set(name, false);
    for (const [name, value] of Object.entries(settings)) enabled.set(name, value);
    this.#settings = settings;
    this.#specs = specs;
    this.#enabled = enabled;
  }

  enabled(name: FeatureGateName): boolean {
    return this.#enabled.get(name) === true;
  }

  /** Every gate that exists in the emulated version, with its stage and state, in the table's order. */
  *all(): Generator<{ name: string; stage: GateStage; enabled: boolean }> {
    for (const [name, { stage }] of this.#specs) {
      if (stage !== 'PREALPHA') yield { name, stage, enabled: this.#enabled.get(name) === true };
    }
  }

  /** What an operator is told at the start, in kube-apiserver's words: gates that need not or should not be set. */
  warnings(): string[] {
    const explicit = Object.entries(this.#settings).flatMap(([name, value]) => {
      const stage = this.#specs.get(name)?.stage;
      if (stage !== 'GA' && stage !== 'DEPRECATED') return [];
      const shown = stage === 'GA' ? 'GA' : 'deprecated';
      return [`Setting ${shown} feature gate ${name}=${value}. It will be removed in a future release.`];
    });
    const alpha = [...this.all()].filter(({ stage, enabled }) => stage === 'ALPHA' && enabled).map(({ name }) => name);
    if (alpha.length === 0) return explicit;
    const list = alpha.map((name) => JSON.stringify(name)).join(',');
    return [
      ...explicit,
      `component has alpha features enabled in emulated version, this is unsupported: features=[${list}]`,
    ];
  }
}

/** The gates that `--help` lists: each with its stage and default in the newest version, in kube-apiserver's form. */
export function featureGateHelp(): string[] {
  return Object.entries(table).flatMap(([name, history]) => {
    const { stage, locked, default: fixed } = specAt(history, CURRENT_MINOR);
    if (stage === 'PREALPHA' || locked || stage === 'GA' || stage === 'DEPRECATED') return [];
    return [`kube:${name}=true|false (${stage} - default=${fixed})`];
  });
}
