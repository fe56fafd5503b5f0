// Hashes of storage versions that discovery publishes, where the emulated version or a gate changes them. kube-apiserver
// stores the most preferred version that the minimum compatibility version already had.

import { lookup } from '../base/lookup.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { Emulation } from '../lifecycle/version.ts';
import type { ResourceDefinition } from './definition.ts';

interface OlderHash {
  /** The minor version of Kubernetes 1 that brought the version which is stored today. */
  readonly since: number;
  /** Base64 of the first 8 bytes of SHA-256 of `group/version/Kind`, of the version before it. */
  readonly hash: string;
}

const OLDER_HASHES: Readonly<Record<string, OlderHash>> = lookup({
  'flowcontrol.apiserver.k8s.io/flowschemas': { since: 29, hash: '9NnFrw7ZEmA=' },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': { since: 29, hash: '+CwSrEWTDhc=' },
  'networking.k8s.io/ipaddresses': { since: 33, hash: 'O4H8VxQhW5Y=' },
  'networking.k8s.io/servicecidrs': { since: 33, hash: '8ufAXOnr3Yg=' },
  'resource.k8s.io/deviceclasses': { since: 33, hash: 'OgEE055Fbnc=' },
  'resource.k8s.io/resourceclaims': { since: 33, hash: 'RnQSwRxMnsw=' },
  'resource.k8s.io/resourceclaimtemplates': { since: 33, hash: 'F6aZtQPvFlU=' },
  'resource.k8s.io/resourceslices': { since: 33, hash: '7r9IQQZblMY=' },
});

interface HashScope {
  readonly emulation: Emulation;
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
}

/** The definition with the hash that this emulated version publishes; itself where that is the declared one. */
export function withStorageVersionHash(definition: ResourceDefinition, scope: HashScope): ResourceDefinition {
  if (definition.storageVersionHash === '') return definition;
  if (!scope.gateEnabled('StorageVersionHash')) return { ...definition, storageVersionHash: '' };
  const older = OLDER_HASHES[`${definition.group}/${definition.resource}`];
  if (older === undefined || older.since <= scope.emulation.minCompatibilityMinor) return definition;
  return { ...definition, storageVersionHash: older.hash };
}
