// --runtime-config: which API versions and resources are served, in addition to the defaults of their stages. Parses
// the flag's entries and rejects invalid ones with kube-apiserver's messages.

import { apiVersionOf } from '../api/group-version.ts';
import { ownMember } from '../api/own-member.ts';
import { lookup } from '../base/lookup.ts';
import { introducedMinor, isRemoved } from '../lifecycle/api-lifecycles.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { type Emulation, emulationOf, isCurrent } from '../lifecycle/version.ts';
import { REMOVED_KINDS } from './builtin/removed-kinds.ts';
import { compareVersions } from './version-order.ts';

/** The flag's entries: `api/all`, `apps/v1`, `apps/v1/deployments` … to `true` or `false`. */
export type RuntimeConfig = Readonly<Record<string, string>>;

/** Why a value of --runtime-config is rejected; the message is kube-apiserver's. */
class RuntimeConfigError extends Error {
  override name = 'RuntimeConfigError';
}

/** Stages, in the order in which they apply. */
const STAGES: readonly (readonly [key: string, versions: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];
const STAGE_KEYS = STAGES.map(([key]) => key);

/**
 * Keys that command lines have and that change nothing: kube-apiserver takes the second form for the core group as a
 * whole, whatever stands behind its version, and cannot do without that.
 */
const WITHOUT_EFFECT = /^(?:api\/legacy$|(?:api\/)?v1(?:\/|$)|\/v1$)/;
/** Those of them whose values are read all the same. */
const CORE = /^(?:\/v1$|(?:api\/)?v1(?:\/|$))/;

/** Groups that v1.34 does not serve but whose kinds it knows. */
const REMOVED_GROUPS: ReadonlySet<string> = new Set(Object.keys(REMOVED_KINDS).map((each) => each.split('/')[0] ?? ''));

const TRUE = new Set(['', '1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** A version of a built-in resource that can be served. */
export interface Candidate {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly enabledByDefault: boolean;
  /** Removed in v1.34; those that were enabled by default can be enabled by name. */
  readonly removed: boolean;
}

interface ServedOptions {
  /** Everything that can be served; versions of a resource in order of preference. */
  readonly candidates: readonly Candidate[];
  readonly config: RuntimeConfig;
  readonly emulation: Emulation;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  /** Serve newer, at least equally stable versions of what is served, even if introduced after the emulated version. */
  readonly emulationForwardCompatible: boolean;
  /** Serve what the configuration names, even if introduced after the emulated version. */
  readonly runtimeConfigForwardCompatible: boolean;
  /** Serve what the emulated release is the first without. */
  readonly oneMoreRelease: boolean;
}

/** Resources that depend on a gate. */
const GATES: Readonly<Record<string, FeatureGateName>> = lookup({
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'certificates.k8s.io/podcertificaterequests': 'PodCertificateRequest',
  'lifecycle.k8s.io/evictionrequests': 'EvictionRequestAPI',
  'lifecycle.k8s.io/evictions': 'EvictionRequestAPI',
  'scheduling.k8s.io/compositepodgroups': 'CompositePodGroup',
  'scheduling.k8s.io/podgroups': 'GenericWorkload',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
});

/** kube-apiserver can emulate this minor version and newer ones; there, old beta versions are disabled as in v1.34. */
const OLDEST_EMULATED_BY_KUBERNETES = 31;

/**
 * The candidates that are served.
 *
 * @throws RuntimeConfigError for an invalid key or value, an unknown group or version, and a named version that was
 *   introduced after the emulated one
 */
export function servedCandidates(options: ServedOptions): ReadonlySet<Candidate> {
  const { candidates, config, emulation, gateEnabled } = options;
  const said = saidBy(config, candidates);
  refuseFuture(options, said);
  const served = new Set(
    candidates.filter((candidate) => {
      const gate = GATES[`${candidate.group}/${candidate.resource}`];
      return (gate === undefined || gateEnabled(gate)) && isServed(candidate, said, options);
    }),
  );
  if (options.emulationForwardCompatible) {
    for (const newer of candidates) if (isFollowedBy(newer, served, emulation)) served.add(newer);
  }
  if (![...served].some(({ group }) => group === 'apiregistration.k8s.io')) {
    throw new RuntimeConfigError('API group/version apiregistration.k8s.io/v1 must be enabled');
  }
  return served;
}

/** Parses the configuration. */
interface Said {
  /** The entry for exactly this version or resource; undefined for none. */
  exactly(candidate: Candidate): boolean | undefined;
  /** The entry for all versions of a stage. */
  ofStage(version: string): boolean | undefined;
  readonly named: ReadonlyMap<string, boolean>;
}

function saidBy(config: RuntimeConfig, candidates: readonly Candidate[]): Said {
  const entries = Object.entries(config);
  if (entries.length === 1 && config['api/all'] === 'false') {
    throw new RuntimeConfigError('invalid key with only api/all=false');
  }
  const keys = entries.filter(([key]) => !STAGE_KEYS.includes(key) && !WITHOUT_EFFECT.test(key));
  refuseUnknown(
    keys.map(([key]) => key),
    candidates,
  );
  for (const [key, value] of entries) if (CORE.test(key)) isOn('/v1', value);
  const stages = STAGES.flatMap(([key, versions]) => {
    const value = ownMember(config, key);
    return value === undefined ? [] : [{ versions, on: stageValue(key, value) }];
  });
  const named = new Map(keys.map(([key, value]) => [checkedKey(key), isOn(key, value)]));
  return {
    named,
    exactly: (candidate) => named.get(`${place(candidate)}/${candidate.resource}`) ?? named.get(place(candidate)),
    ofStage: (version) => stages.findLast((each) => each.versions.test(version))?.on,
  };
}

/** `apps/v1`, and `/v1` for the core group, as in keys. */
function place({ group, version }: { group: string; version: string }): string {
  return `${group}/${version}`;
}

function isServed(candidate: Candidate, said: Said, options: ServedOptions): boolean {
  const { emulation, runtimeConfigForwardCompatible, oneMoreRelease } = options;
  const exactly = said.exactly(candidate);
  const { version, kind, removed, enabledByDefault } = candidate;
  const groupVersion = apiVersionOf(candidate);
  const isFuture = introducedMinor(groupVersion, kind) > emulation.minor;
  const isGone = isRemoved(
    groupVersion,
    kind,
    oneMoreRelease ? emulationOf(emulation.minor - 1).release : emulation.release,
  );
  // Of the versions removed in v1.34, those that applications used for years can be enabled by name.
  if (exactly === true) return isFuture ? runtimeConfigForwardCompatible : !isGone || (removed && enabledByDefault);
  if (exactly === false || isFuture || isGone) return false;
  const isOfItsTime = isCurrent(emulation) || emulation.minor < OLDEST_EMULATED_BY_KUBERNETES;
  const byDefault = enabledByDefault && (!removed || isOfItsTime);
  return said.ofStage(version) ?? byDefault;
}

/** Naming a version or resource that was introduced completely after the emulated version is an error. */
function refuseFuture({ candidates, emulation, runtimeConfigForwardCompatible }: ServedOptions, said: Said): void {
  if (runtimeConfigForwardCompatible) return;
  const advice = 'Consider setting --runtime-config-emulation-forward-compatible=true';
  for (const [key, on] of said.named) {
    if (!on) continue;
    const [group = '', version = '', resource] = key.split('/');
    const meant = candidates.filter(
      (each) =>
        each.group === group && each.version === version && (resource === undefined || each.resource === resource),
    );
    const introduced = meant.map((each) => introducedMinor(apiVersionOf(each), each.kind));
    if (meant.length === 0 || introduced.some((minor) => minor <= emulation.minor)) continue;
    const name = apiVersionOf({ group, version });
    throw new RuntimeConfigError(
      resource === undefined
        ? `cannot enable version ${name} in runtime-config because all the resources have been introduced after the current version ${emulation.release}. ${advice}`
        : `cannot enable resource ${name}, Resource=${resource} in runtime-config because it is introduced at 1.${introduced[0]} after the current version ${emulation.release}. ${advice}`,
    );
  }
}

/** Whether a version of a resource was introduced later than the served ones, and is preferred to them. */
function isFollowedBy(newer: Candidate, served: ReadonlySet<Candidate>, emulation: Emulation): boolean {
  if (newer.removed || isAlpha(newer.version)) return false;
  if (introducedMinor(apiVersionOf(newer), newer.kind) <= emulation.minor) return false;
  return [...served].some(
    (each) =>
      each.group === newer.group &&
      each.resource === newer.resource &&
      !isAlpha(each.version) &&
      compareVersions(newer.version, each.version) < 0,
  );
}

function isAlpha(version: string): boolean {
  return version.includes('alpha');
}

function refuseUnknown(keys: readonly string[], candidates: readonly Candidate[]): void {
  const malformed = keys.find((key) => !/^[^/]*\/[^/]*(?:\/[^/]*)?$/.test(key));
  if (malformed !== undefined) throw new RuntimeConfigError(`runtime-config invalid key ${malformed}`);
  const named = keys.map((key) => {
    const [group = '', version = ''] = key.split('/');
    return { group, version };
  });
  const groups = new Set([...candidates.map(({ group }) => group), ...REMOVED_GROUPS]);
  const unknown = named.filter(({ group }) => !groups.has(group));
  if (unknown.length > 0) {
    throw new RuntimeConfigError(`unknown api groups ${unknown.map(({ group }) => group).join(',')}`);
  }
  for (const { group, version } of named) {
    const groupVersion = apiVersionOf({ group, version });
    if (candidates.some((each) => each.group === group && each.version === version)) continue;
    if (Object.hasOwn(REMOVED_KINDS, groupVersion)) continue;
    throw new RuntimeConfigError(`group version ${groupVersion} that has not been registered`);
  }
}

function checkedKey(key: string): string {
  const resource = key.split('/')[2] ?? '';
  if (resource !== resource.toLowerCase()) {
    throw new RuntimeConfigError(
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`,
    );
  }
  return key;
}

/** Stages only accept the two words. */
function stageValue(key: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new RuntimeConfigError(`invalid value ${key}=${value}`);
  return value === 'true';
}

function isOn(key: string, value: string): boolean {
  if (TRUE.has(value)) return true;
  if (FALSE.has(value)) return false;
  throw new RuntimeConfigError(
    `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}
