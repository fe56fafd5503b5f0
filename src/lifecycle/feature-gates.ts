// Feature gates: parsing of --feature-gates, validation against the known gates, and lookup by name. Errors have
// kube-apiserver's words, because people search for them.

import { errorList } from '../base/error-list.ts';
import { goQuote } from '../base/go-quote.ts';
import type { FeatureGateSpec, GateStage } from './feature-gate.ts';
import { type FeatureGateName, featureGateTable, gateNeeds, gateSpans } from './feature-gate-table.ts';
import { CURRENT_MINOR, type Emulation, emulationOf } from './version.ts';

/** Explicit settings by name; other gates have their defaults. */
type FeatureGateSettings = Readonly<Record<string, boolean>>;

/** An invalid setting; the message is for the operator. */
export class FeatureGateError extends Error {
  override name = 'FeatureGateError';
}

const table: Readonly<Record<string, readonly FeatureGateSpec[]>> = featureGateTable;

const PRE_ALPHA: FeatureGateSpec = { since: 0, stage: 'PREALPHA', default: false, locked: false };

/** The gates that set every gate of a stage. */
const stageGates: readonly { name: FeatureGateName; stage: GateStage }[] = [
  { name: 'AllAlpha', stage: 'ALPHA' },
  { name: 'AllBeta', stage: 'BETA' },
];

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The boolean values that Kubernetes' flags accept; undefined for anything else. */
export function parseBool(text: string): boolean | undefined {
  if (trueWords.has(text)) return true;
  return falseWords.has(text) ? false : undefined;
}

/**
 * Parses the value of --feature-gates: `Name=bool` separated by commas, all or none prefixed with `kube:`. FeatureGates
 * checks whether the gates exist, because it knows the emulated version.
 *
 * @param text several values of the flag are joined by commas
 * @throws FeatureGateError for a malformed pair, and for unknown or mixed prefixes
 */
export function parseFeatureGates(text: string): FeatureGateSettings {
  const pairs = text
    .split(',')
    .filter((each) => each !== '')
    .map(splitPrefix);
  const prefixes = new Set(pairs.map(({ prefix }) => prefix));
  if (prefixes.has('') && prefixes.has('kube')) {
    throw new FeatureGateError(
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    );
  }
  for (const prefix of prefixes) {
    if (prefix !== '' && prefix !== 'kube') throw new FeatureGateError(`component not registered: ${prefix}`);
  }
  return Object.fromEntries(pairs.filter(({ setting }) => setting !== '').map(({ setting }) => readSetting(setting)));
}

/** The component is what precedes the first colon. */
function splitPrefix(pair: string): { prefix: string; setting: string } {
  const colon = pair.indexOf(':');
  return { prefix: pair.slice(0, Math.max(colon, 0)).trim(), setting: pair.slice(colon + 1).trim() };
}

function readSetting(setting: string): [name: string, enabled: boolean] {
  const equals = setting.indexOf('=');
  if (equals < 0) throw new FeatureGateError(`missing bool value for ${setting}`);
  const name = setting.slice(0, equals).trim();
  const value = setting.slice(equals + 1).trim();
  const enabled = parseBool(value);
  if (enabled === undefined) {
    const why = `strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`;
    throw new FeatureGateError(`invalid value of ${name}=${value}, err: ${why}`);
  }
  return [name, enabled];
}

/** The stages of a gate that a release knows; undefined if it does not know the gate. */
function historyIn(name: string, minor: number): readonly FeatureGateSpec[] | undefined {
  const history = Object.hasOwn(table, name) ? table[name] : undefined;
  const { since = history?.[0]?.since ?? 0, until = Number.POSITIVE_INFINITY } = gateSpans[name] ?? {};
  return since <= minor && minor <= until ? history : undefined;
}

/** The gates that a minor release of Kubernetes 1 knows, with the stages that they have had by then. */
export function gatesIn(minor: number): [name: FeatureGateName, stages: readonly FeatureGateSpec[]][] {
  return (Object.keys(featureGateTable) as FeatureGateName[]).flatMap((name) => {
    const history = historyIn(name, minor);
    return history === undefined ? [] : [[name, history.filter(({ since }) => since <= minor)] as const];
  }) as [FeatureGateName, readonly FeatureGateSpec[]][];
}

/**
 * The latest entry that neither the emulated version nor the minimum compatibility version excludes. If the release of
 * the server is older than the first known entry of a gate that it lists, that entry applies.
 */
function specAt(history: readonly FeatureGateSpec[], emulation: Emulation): FeatureGateSpec {
  const { minor, minCompatibilityMinor, binary } = emulation;
  const holds = ({ since, minCompatibility = 0 }: FeatureGateSpec): boolean =>
    since <= minor && minCompatibility <= minCompatibilityMinor;
  const [first = PRE_ALPHA] = history;
  return history.findLast(holds) ?? (binary.minor < first.since ? first : PRE_ALPHA);
}

/** @throws FeatureGateError with all errors up to the first unknown gate */
function checkSettings(settings: FeatureGateSettings, emulation: Emulation): void {
  const { minor, binary } = emulation;
  const problems: string[] = [];
  for (const [name, enabled] of Object.entries(settings)) {
    const history = historyIn(name, binary.minor);
    if (history === undefined) {
      problems.push(`unrecognized feature gate: ${name}`);
      break;
    }
    const { stage, locked, default: fixed } = specAt(history, emulation);
    const refused = `cannot set feature gate ${name} to ${enabled}`;
    if (stage === 'PREALPHA') problems.push(`${refused}, feature is PreAlpha at emulated version 1.${minor}`);
    else if (locked && fixed !== enabled) problems.push(`${refused}, feature is locked to ${fixed}`);
  }
  if (problems.length > 0) throw new FeatureGateError(errorList(problems));
}

/** The first minor version of Kubernetes 1 in which gates need others by declaration. */
const FIRST_WITH_NEEDS = 35;

/** Whether a gate was on when it was removed, before this release. */
function wasOnWhenRemoved(name: string, { binary }: Emulation): boolean {
  const { until = Number.POSITIVE_INFINITY } = gateSpans[name] ?? {};
  return until < binary.minor && table[name]?.at(-1)?.default === true;
}

/** A gate that can only be enabled with another one. */
interface GateNeed {
  readonly gate: FeatureGateName;
  readonly needed: FeatureGateName;
  readonly problem: string;
}

/** Dependencies between gates, and kube-apiserver's messages. */
const NEEDS: readonly GateNeed[] = [
  {
    gate: 'AuthorizeNodeWithSelectors',
    needed: 'AuthorizeWithSelectors',
    problem: 'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
  },
  {
    gate: 'PodCertificateRequest',
    needed: 'AuthorizeNodeWithSelectors',
    problem: 'PodCertificateRequest feature requires AuthorizeNodeWithSelectors feature to be enabled',
  },
];

/** Validated with the options of authentication. */
const TOKEN_BINDING: GateNeed = {
  gate: 'ServiceAccountTokenNodeBinding',
  needed: 'ServiceAccountTokenNodeBindingValidation',
  problem:
    'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
};

/** The state of all gates of a server, which does not change while it runs. A server asks for a few of them. */
export class FeatureGates {
  readonly #settings: ReadonlyMap<string, boolean>;
  readonly #emulation: Emulation;
  /** The gates that have been asked for. */
  readonly #asked = new Map<FeatureGateName, boolean>();

  /**
   * @param settings of individual gates take precedence over AllAlpha and AllBeta
   * @param emulation the release that determines which gates there are, their stages and defaults
   * @throws FeatureGateError for a gate that is unknown, does not exist yet, is locked to the other value, or needs one
   *   that is off
   */
  constructor(settings: FeatureGateSettings = {}, emulation: Emulation = emulationOf(CURRENT_MINOR)) {
    checkSettings(settings, emulation);
    this.#settings = new Map(Object.entries(settings));
    this.#emulation = emulation;
    if (emulation.binary.minor >= FIRST_WITH_NEEDS) this.#checkNeeds();
  }

  /** @throws FeatureGateError for gates that are enabled without those that they need */
  #checkNeeds(): void {
    const problems = Object.entries(gateNeeds).flatMap(([name, needed]) => {
      if (this.#state(name) !== true) return [];
      const off = needed.filter((each) => this.#state(each) === false);
      return off.length === 0
        ? []
        : [`${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`];
    });
    if (problems.length > 0) throw new FeatureGateError(errorList(problems));
  }

  /** Whether a feature is there. One whose gate the release no longer knows is as it was when the gate was removed. */
  enabled(name: FeatureGateName): boolean {
    const known = this.#asked.get(name);
    if (known !== undefined) return known;
    const enabled = this.#state(name) ?? wasOnWhenRemoved(name, this.#emulation);
    this.#asked.set(name, enabled);
    return enabled;
  }

  /** Whether a gate is on; undefined for one that the release does not know. */
  #state(name: string): boolean | undefined {
    const spec = this.#spec(name);
    if (spec === undefined) return undefined;
    const explicit = this.#settings.get(name);
    if (explicit !== undefined) return explicit;
    // A stage gate has that stage itself, and is not set by the other one.
    if (stageGates.some((gate) => gate.name === name)) return false;
    const ofStage = stageGates.find(({ stage }) => stage === spec.stage);
    return (ofStage && this.#settings.get(ofStage.name)) ?? spec.default;
  }

  #spec(name: string): FeatureGateSpec | undefined {
    const history = historyIn(name, this.#emulation.binary.minor);
    return history && specAt(history, this.#emulation);
  }

  /** All gates of the emulated version, with stage and state, in the table's order. */
  *all(): Generator<{ name: string; stage: GateStage; enabled: boolean }> {
    for (const name of Object.keys(table)) {
      const spec = this.#spec(name);
      if (spec === undefined || spec.stage === 'PREALPHA') continue;
      yield { name, stage: spec.stage, enabled: this.#state(name) === true };
    }
  }

  /** Errors in the combination of enabled gates, in kube-apiserver's words. */
  problems(): string[] {
    return this.#broken(NEEDS);
  }

  /** The same for gates of service account tokens. */
  tokenBindingProblems(): string[] {
    return this.#broken([TOKEN_BINDING]);
  }

  #broken(needs: readonly GateNeed[]): string[] {
    const broken = needs.filter(({ gate, needed }) => this.enabled(gate) && !this.enabled(needed));
    return broken.map(({ problem }) => problem);
  }

  /** Warnings at startup, in kube-apiserver's words: gates that need not or should not be set. */
  warnings(): string[] {
    const explicit = [...this.#settings].flatMap(([name, value]) => {
      const stage = this.#spec(name)?.stage;
      if (stage !== 'GA' && stage !== 'DEPRECATED') return [];
      const shown = stage === 'GA' ? 'GA' : 'deprecated';
      return [`Setting ${shown} feature gate ${name}=${value}. It will be removed in a future release.`];
    });
    const alpha = [...this.all()].filter(({ stage, enabled }) => stage === 'ALPHA' && enabled).map(({ name }) => name);
    if (alpha.length === 0) return explicit;
    const list = alpha.join(' ');
    return [
      ...explicit,
      `component has alpha features enabled in emulated version, this is unsupported: features=[${list}]`,
    ];
  }
}

/** The gates in `--help`: with stage and default in the latest version, in kube-apiserver's form. */
export function featureGateHelp(): string[] {
  return Object.entries(table).flatMap(([name, history]) => {
    if (historyIn(name, CURRENT_MINOR) === undefined) return [];
    const { stage, locked, default: fixed } = specAt(history, emulationOf(CURRENT_MINOR));
    if (stage === 'PREALPHA' || locked || stage === 'GA' || stage === 'DEPRECATED') return [];
    return [`kube:${name}=true|false (${stage} - default=${fixed})`];
  });
}
