// The storage versions whose hashes are in discovery, where they depend on the emulated version or a gate. kube-apiserver
// stores the most preferred version that the minimum compatibility version already had.

import { apiVersionOf } from '../api/group-version.ts';
import { lookup } from '../base/lookup.ts';
import { introducedMinor } from '../lifecycle/api-lifecycles.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import { type Emulation, isSince } from '../lifecycle/version.ts';
import { versionsOf } from './decodable-versions.ts';
import type { ResourceDefinition } from './definition.ts';

interface OlderVersion {
  /** The minor version of Kubernetes 1 that introduced the current storage version. */
  readonly since: number;
  /**
   * The one that introduced the previous storage version. Before it there is none to fall back to, and the current one
   * is used.
   */
  readonly from: number;
  readonly version: string;
}

const OLDER: Readonly<Record<string, OlderVersion>> = lookup({
  'admissionregistration.k8s.io/validatingadmissionpolicies': { from: 28, since: 30, version: 'v1beta1' },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': { from: 28, since: 30, version: 'v1beta1' },
  'flowcontrol.apiserver.k8s.io/flowschemas': { from: 26, since: 29, version: 'v1beta3' },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': {
    from: 26,
    since: 29,
    version: 'v1beta3',
  },
  'networking.k8s.io/ipaddresses': { from: 31, since: 33, version: 'v1beta1' },
  'networking.k8s.io/servicecidrs': { from: 31, since: 33, version: 'v1beta1' },
  'resource.k8s.io/deviceclasses': { from: 32, since: 33, version: 'v1beta1' },
  'resource.k8s.io/resourceclaims': { from: 32, since: 33, version: 'v1beta1' },
  'resource.k8s.io/resourceclaimtemplates': { from: 32, since: 33, version: 'v1beta1' },
  'resource.k8s.io/resourceslices': { from: 32, since: 33, version: 'v1beta1' },
});

interface HashScope {
  readonly emulation: Emulation;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
}

/** The definition with the storage version of this emulated version; unchanged if that is the declared one. */
export function withHashedStorage(definition: ResourceDefinition, scope: HashScope): ResourceDefinition {
  if (definition.hashedStorage === '') return definition;
  if (!scope.gateEnabled('StorageVersionHash')) return { ...definition, hidesHash: true };
  const hashedStorage = hashedIn(definition, scope.emulation.minCompatibilityMinor);
  return hashedStorage === definition.hashedStorage ? definition : { ...definition, hashedStorage };
}

/** `group/version/Kind` of the storage version that this minor version of Kubernetes 1 can read. */
export function hashedIn(definition: ResourceDefinition, minCompatibilityMinor: number): string {
  const older = olderStorageVersion(definition, minCompatibilityMinor);
  return older === undefined ? definition.hashedStorage : `${definition.group}/${older}/${definition.kind}`;
}

/** The storage version that this minor version of Kubernetes 1 can read; undefined if it is the declared one. */
export function olderStorageVersion(definition: ResourceDefinition, minCompatibilityMinor: number): string | undefined {
  return isSince(definition, FIRST_BY_RULE)
    ? readableVersion(definition, minCompatibilityMinor)
    : olderOf(definition, minCompatibilityMinor)?.version;
}

/** The first minor release of Kubernetes 1 that falls back to no alpha version. */
const FIRST_BY_RULE = 37;

/** The next preferred version that existed in that release and is not alpha. */
function readableVersion(definition: ResourceDefinition, minCompatibilityMinor: number): string | undefined {
  const { group, kind, storage } = definition;
  const versions = versionsOf(definition);
  const found = versions
    .slice(versions.indexOf(storage.version))
    .filter((version) => !version.includes('alpha'))
    .find((version) => introducedMinor(apiVersionOf({ group, version }), kind) <= minCompatibilityMinor);
  return found === storage.version ? undefined : found;
}

function olderOf({ group, resource }: ResourceDefinition, minCompatibilityMinor: number): OlderVersion | undefined {
  const older = OLDER[`${group}/${resource}`];
  if (older === undefined || minCompatibilityMinor < older.from || minCompatibilityMinor >= older.since)
    return undefined;
  return older;
}
