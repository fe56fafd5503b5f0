// --runtime-config: which API versions and resources are served, beyond what a version's stage decides. Reads the flag's
// entries and refuses nonsense in kube-apiserver's words.

import type { ResourceDefinition } from './definition.ts';

/** The flag's entries: `api/all`, `apps/v1`, `apps/v1/deployments` … to `true` or `false`. */
export type RuntimeConfig = Readonly<Record<string, string>>;

/** Why a value of --runtime-config is refused; the message is kube-apiserver's. */
export class RuntimeConfigError extends Error {
  override name = 'RuntimeConfigError';
}

/** Whole stages, in the order in which they apply. */
const STAGES: readonly (readonly [key: string, versions: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];
const STAGE_KEYS = STAGES.map(([key]) => key);

const TRUE = new Set(['', '1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Whether a version of a resource is served. */
export type IsServed = (definition: ResourceDefinition, version: string) => boolean;

/**
 * Reads the flag.
 *
 * @throws RuntimeConfigError on a key or value that makes no sense, or an unknown group or version
 */
export function servedBy(config: RuntimeConfig, known: readonly ResourceDefinition[]): IsServed {
  const entries = Object.entries(config);
  if (entries.length === 1 && config['api/all'] === 'false') {
    throw new RuntimeConfigError('invalid key with only api/all=false');
  }
  const named = entries.filter(([key]) => !STAGE_KEYS.includes(key));
  refuseUnknown(
    named.map(([key]) => key),
    known,
  );
  const stages = STAGES.flatMap(([key, versions]) => {
    const value = config[key];
    return value === undefined ? [] : [{ versions, on: stageValue(key, value) }];
  });
  const exact = new Map(named.map(([key, value]) => [checkedKey(key), isOn(key, value)]));

  return ({ group, resource, versions }, version) => {
    const groupVersion = group === '' ? `/${version}` : `${group}/${version}`;
    const said = exact.get(`${groupVersion}/${resource}`) ?? exact.get(groupVersion);
    if (said !== undefined) return said;
    const stage = stages.findLast((each) => each.versions.test(version));
    return stage?.on ?? versions.some((each) => each.version === version && each.enabledByDefault);
  };
}

function refuseUnknown(keys: string[], known: readonly ResourceDefinition[]): void {
  const unknown: string[] = [];
  for (const key of keys) {
    const [group = '', version = '', ...rest] = key.split('/');
    if (!key.includes('/') || rest.length > 1) throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
    if (!known.some((each) => each.group === group)) unknown.push(group);
    else if (!known.some((each) => each.group === group && each.versions.some((one) => one.version === version))) {
      const name = group === '' ? version : `${group}/${version}`;
      throw new RuntimeConfigError(`group version ${name} that has not been registered`);
    }
  }
  if (unknown.length > 0) throw new RuntimeConfigError(`unknown api groups ${unknown.join(',')}`);
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

/** The stages take the two words alone. */
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
