// Loading of the parts of a cluster: only for servers that simulate nodes, or for which one of them is selected.

import { isOfCluster, selectedControllers } from '../../controllers/controller-names.ts';
import type { ControllerSetOptions } from '../../controllers/controller-set.ts';
import type { WiringContext } from './context.ts';

type Needs = Omit<ControllerSetOptions, 'cluster'>;

/** What makes the parts of the cluster; undefined if there are none. */
export async function loadCluster(
  { options, environment }: WiringContext,
  needs: Needs,
): Promise<ControllerSetOptions['cluster']> {
  const selected = selectedControllers(needs.controllers, needs.lives);
  if (!selected.values().some(isOfCluster)) return undefined;
  const { makeCluster } = await import('../../cluster/start-cluster.ts');
  const { random, activity, simulated } = environment;
  const settings = {
    nodes: options.nodes,
    realisticDelays: options.nodeDelays === 'realistic',
    podCidr: options.clusterCidr,
    serviceCidrs: needs.serviceCidrs,
    signer: undefined,
  };
  return (names) => makeCluster({ ...needs, activity, random, settings, simulated }, names);
}
