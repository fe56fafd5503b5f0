// Which optional behaviours are on: the --feature-gates flag parsed, checked against the table of known gates, and
// asked by name. Errors read as kube-apiserver's do, because people search for them.

import { type FeatureGateName, type FeatureGateSpec, featureGateTable, type GateStage } from './feature-gate-table.ts';

/** What a gate was set to, by name; gates that are absent keep their defaults. */
export type FeatureGateSettings = Readonly<Record<string, boolean>>;

/** A setting that kube-apiserver would refuse to start with; the message is for the person who wrote the flag. */
export class FeatureGateError extends Error {
  override name = 'FeatureGateError';
}

const table: Readonly<Record<string, FeatureGateSpec>> = featureGateTable;

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
 * Reads the value of --feature-gates: `Name=bool` separated by commas, each optionally prefixed with `kube:`.
 * Throws FeatureGateError for a malformed pair, an unknown gate, and a locked gate set to other than its default.
 */
export function parseFeatureGates(text: string): FeatureGateSettings {
  const settings: Record<string, boolean> = {};
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const { name, value } = splitPair(pair);
    if (value === undefined) throw new FeatureGateError(`missing bool value for ${name}`);
    const enabled = parseBool(value);
    if (enabled === undefined) {
      throw new FeatureGateError(
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      );
    }
    settings[name] = enabled;
  }
  checkSettings(settings);
  return settings;
}

function splitPair(pair: string): { name: string; value: string | undefined } {
  const colon = pair.indexOf(':');
  if (colon >= 0 && pair.slice(0, colon).trim() !== 'kube') {
    throw new FeatureGateError(`component not registered: ${pair.slice(0, colon).trim()}`);
  }
  const setting = pair.slice(colon + 1);
  const equals = setting.indexOf('=');
  if (equals < 0) return { name: setting.trim(), value: undefined };
  return { name: setting.slice(0, equals).trim(), value: setting.slice(equals + 1).trim() };
}

function checkSettings(settings: FeatureGateSettings): void {
  for (const [name, enabled] of Object.entries(settings)) {
    const spec = Object.hasOwn(table, name) ? table[name] : undefined;
    if (spec === undefined) throw new FeatureGateError(`unrecognized feature gate: ${name}`);
    if (spec.locked && spec.default !== enabled) {
      throw new FeatureGateError(`cannot set feature gate ${name} to ${enabled}, feature is locked to ${spec.default}`);
    }
  }
}

/** The state of every gate of one server; it does not change while the server runs. */
export class FeatureGates {
  readonly #enabled: ReadonlyMap<string, boolean>;

  /** Throws FeatureGateError where parseFeatureGates would. A gate's own setting wins over AllAlpha and AllBeta. */
  constructor(settings: FeatureGateSettings = {}) {
    checkSettings(settings);
    const enabled = new Map(Object.entries(table).map(([name, spec]) => [name, spec.default]));
    for (const { name, stage } of stageGates) {
      const all = settings[name];
      if (all === undefined) continue;
      for (const [gate, spec] of Object.entries(table)) if (spec.stage === stage) enabled.set(gate, all);
    }
    // A stage gate is of that stage itself, and the other one must not switch it along: settings come last.
    for (const { name } of stageGates) enabled.set(name, false);
    for (const [name, value] of Object.entries(settings)) enabled.set(name, value);
    this.#enabled = enabled;
  }

  enabled(name: FeatureGateName): boolean {
    return this.#enabled.get(name) === true;
  }

  /** Every gate with its stage and state, in the table's order. */
  *all(): Generator<{ name: string; stage: GateStage; enabled: boolean }> {
    for (const [name, spec] of Object.entries(table)) {
      yield { name, stage: spec.stage, enabled: this.#enabled.get(name) === true };
    }
  }
}
