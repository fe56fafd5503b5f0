// Names of CSI volumes, and of what simulates them.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';

/** The driver of simulated clusters, which is also the provisioner of their default class. */
export const DRIVER = 'simulated.keelson.dev';

/** The name of a CSI volume in the status of nodes; undefined for any other volume. */
export function attachedName({ spec }: PersistentVolume): string | undefined {
  const csi = spec?.csi;
  return csi === undefined ? undefined : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

/** How nodes that are simulated describe their runtime. */
const SIMULATED_RUNTIME = 'keelson://';

/** Whether a node is simulated, here or by another server. */
export function isSimulated({ status }: Node): boolean {
  return status?.nodeInfo?.containerRuntimeVersion?.startsWith(SIMULATED_RUNTIME) === true;
}
