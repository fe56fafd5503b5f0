// Pod Security policy of a namespace, read from its labels. A valid policy comes of any labels: those that cannot be
// read are reported, and stand for the strictest where they enforce and for nothing where they warn.

import { type FieldError, fieldError } from '../../api/errors.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';

export interface LevelVersion {
  readonly level: Level;
  /** The minor version of Kubernetes whose standards count; infinite for `latest`. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  /** What is told in the audit event alone. */
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = Readonly<Record<string, string>>;

const PREFIX = 'pod-security.kubernetes.io/';
/** From the laxest to the strictest. */
export const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const VERSION = /^v1\.(0|[1-9][0-9]*)$/;
const LATEST = Number.POSITIVE_INFINITY;
const ANYTHING: LevelVersion = { level: 'privileged', minor: LATEST };

/** Without labels everything is allowed. */
export const NO_POLICY: Policy = { enforce: ANYTHING, audit: ANYTHING, warn: ANYTHING };

/** How strict a level is, for comparing. */
export function strictness({ level }: LevelVersion): number {
  return LEVELS.indexOf(level);
}

function isSame(one: LevelVersion, other: LevelVersion): boolean {
  return one.level === other.level && one.minor === other.minor;
}

/** As messages write it: `baseline:v1.30`. */
export function levelVersionText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`;
}

const ENFORCE = `${PREFIX}enforce`;
const ENFORCE_VERSION = `${PREFIX}enforce-version`;
const AUDIT = `${PREFIX}audit`;
const AUDIT_VERSION = `${PREFIX}audit-version`;
const WARN = `${PREFIX}warn`;
const WARN_VERSION = `${PREFIX}warn-version`;

/** @param defaults what holds where the labels say nothing */
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
  // Who enforces is warned of workloads, too, whose pods would be refused later.
  const warnsAsEnforced = labels[WARN] === undefined && enforced !== undefined && levelIn(enforced) !== undefined;
  if (!warnsAsEnforced || strictness(enforce) <= strictness(warn)) return { enforce, audit, warn };
  const { minor } = labels[WARN_VERSION] === undefined ? enforce : warn;
  return { enforce, audit, warn: { level: enforce.level, minor } };
}

/** Nothing is told at a level that cannot be read. */
function laxLevelOf(label: string | undefined, standing: LevelVersion): Level {
  return label === undefined ? standing.level : (levelIn(label) ?? 'privileged');
}

function versionOf(label: string | undefined, standing: LevelVersion): number {
  return label === undefined ? standing.minor : (minorIn(label) ?? LATEST);
}

/** What an exempt namespace demands in vain, in words; undefined where that is nothing or what holds anyway. */
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

/** The labels that cannot be read, those of the audit level among them. */
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

/** Undefined for a text that names none. */
export function levelIn(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

/** The minor version that a text like `v1.30` or `latest` names; undefined where it names none. */
export function minorIn(text: string | undefined): number | undefined {
  if (text === 'latest') return LATEST;
  const minor = Number(VERSION.exec(text ?? '')?.[1]);
  // Beyond, numbers would not be written as they were read.
  return Number.isSafeInteger(minor) ? minor : undefined;
}
