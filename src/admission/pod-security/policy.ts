// Pod Security policy of a namespace, parsed from its labels. The result is always valid: invalid labels are reported,
// and stand for the strictest level in enforce and for none in warn.

import { type FieldError, fieldError } from '../../api/errors.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';

export interface LevelVersion {
  readonly level: Level;
  /** The minor version of the standard; infinite for `latest`. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  /** Recorded only in the audit event. */
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = Readonly<Record<string, string>>;

const PREFIX = 'pod-security.kubernetes.io/';
/** From least to most restrictive. */
export const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const VERSION = /^v1\.(0|[1-9][0-9]*)$/;
const LATEST = Number.POSITIVE_INFINITY;
const ANYTHING: LevelVersion = { level: 'privileged', minor: LATEST };

/** Without labels everything is allowed. */
export const NO_POLICY: Policy = { enforce: ANYTHING, audit: ANYTHING, warn: ANYTHING };

/** The strictness of a level, for comparisons. */
export function strictness({ level }: LevelVersion): number {
  return LEVELS.indexOf(level);
}

function isSame(one: LevelVersion, other: LevelVersion): boolean {
  return one.level === other.level && one.minor === other.minor;
}

/** As in messages: `baseline:v1.30`. */
export function levelVersionText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`;
}

const ENFORCE = `${PREFIX}enforce`;
const ENFORCE_VERSION = `${PREFIX}enforce-version`;
const AUDIT = `${PREFIX}audit`;
const AUDIT_VERSION = `${PREFIX}audit-version`;
const WARN = `${PREFIX}warn`;
const WARN_VERSION = `${PREFIX}warn-version`;

/** @param defaults for absent labels */
export function policyOf(labels: Labels | undefined, defaults: Policy = NO_POLICY): Policy {
  if (labels === undefined || !hasPolicy(labels)) return defaults;
  const enforced = labels[ENFORCE];
  const enforce = {
    level: enforced === undefined ? defaults.enforce.level : (levelIn(enforced) ?? 'restricted'),
    minor: versionOf(labels[ENFORCE_VERSION], defaults.enforce),
  };
  const audit = {
    level: laxLevelOf(labels[AUDIT], defaults.audit),
    minor: versionOf(labels[AUDIT_VERSION], defaults.audit),
  };
  const warn = {
    level: laxLevelOf(labels[WARN], defaults.warn),
    minor: versionOf(labels[WARN_VERSION], defaults.warn),
  };
  // Enforcing also warns about workloads, whose pods would be rejected later.
  const warnsAsEnforced = labels[WARN] === undefined && enforced !== undefined && levelIn(enforced) !== undefined;
  if (!warnsAsEnforced || strictness(enforce) <= strictness(warn)) return { enforce, audit, warn };
  const { minor } = labels[WARN_VERSION] === undefined ? enforce : warn;
  return { enforce, audit, warn: { level: enforce.level, minor } };
}

/** Invalid levels cause no warnings. */
function laxLevelOf(label: string | undefined, standing: LevelVersion): Level {
  return label === undefined ? standing.level : (levelIn(label) ?? 'privileged');
}

function versionOf(label: string | undefined, standing: LevelVersion): number {
  return label === undefined ? standing.minor : (minorIn(label) ?? LATEST);
}

/**
 * The policy that has no effect in an exempt namespace, in words; undefined if there is none or it equals the default.
 */
export function ignoredPolicyText(labels: Labels | undefined, defaults: Policy): string | undefined {
  const policy = policyOf(labels, defaults);
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (modes.every((mode) => policy[mode].level === 'privileged')) return undefined;
  if (modes.every((mode) => isEquivalent(policy[mode], defaults[mode]))) return undefined;
  return modes
    .filter((mode) => policy[mode].level !== 'privileged')
    .filter((mode) => labels?.[`${PREFIX}${mode}`] !== undefined || labels?.[`${PREFIX}${mode}-version`] !== undefined)
    .map((mode) => `${mode}=${levelVersionText(policy[mode])}`)
    .join(', ');
}

function isEquivalent(one: LevelVersion, other: LevelVersion): boolean {
  return (one.level === 'privileged' && other.level === 'privileged') || isSame(one, other);
}

function hasPolicy(labels: Labels): boolean {
  for (const name in labels) if (name.startsWith(PREFIX)) return true;
  return false;
}

/** The invalid labels, including that of the audit level. */
export function labelFaults(labels: Labels = {}): FieldError[] {
  const found: FieldError[] = [];
  for (const mode of ['enforce', 'audit', 'warn']) {
    const level = labels[`${PREFIX}${mode}`];
    if (level !== undefined && levelIn(level) === undefined) {
      found.push(fault(mode, level, `must be one of ${LEVELS.join(', ')}`));
    }
    const version = labels[`${PREFIX}${mode}-version`];
    if (version !== undefined && minorIn(version) === undefined) {
      found.push(fault(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
    }
  }
  return found;
}

function fault(label: string, value: string, detail: string): FieldError {
  return fieldError.invalid(`metadata.labels[${PREFIX}${label}]`, value, detail);
}

/** Undefined for an invalid level. */
export function levelIn(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

/** The minor version in a text such as `v1.30` or `latest`; undefined if invalid. */
export function minorIn(text: string | undefined): number | undefined {
  if (text === 'latest') return LATEST;
  const minor = Number(VERSION.exec(text ?? '')?.[1]);
  // Larger numbers would not be formatted as they were parsed.
  return Number.isSafeInteger(minor) ? minor : undefined;
}
