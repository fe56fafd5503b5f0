// Loading of the parts of a cluster: only for servers that simulate nodes, or for which one of them is selected.

import type { Authorizer } from '../../auth/authz/authorizer.ts';
import type { Stage } from '../../cluster/stages/stage-objects.ts';
import { isOfCluster, selectedControllers } from '../../controllers/controller-names.ts';
import type { ControllerSetOptions } from '../../controllers/controller-set.ts';
import type { ServerCredentials } from '../credentials.ts';
import { clusterSigner } from './cluster-signer.ts';
import type { WiringContext } from './context.ts';

type Needs = Omit<ControllerSetOptions, 'cluster'>;

/** What the parts of the cluster need besides what other controllers do. */
export interface ClusterNeeds {
  readonly authorizer: Authorizer;
  /** The server's certificates at the moment; undefined without a listener. */
  readonly certificates: () => ServerCredentials['own'] | undefined;
  /** Stages that are installed. */
  readonly stages: readonly Stage[];
}

/** What makes the parts of the cluster; undefined if there are none. */
export async function loadCluster(
  context: WiringContext,
  needs: Needs,
  { authorizer, certificates, stages }: ClusterNeeds,
): Promise<ControllerSetOptions['cluster']> {
  const selected = selectedControllers(needs.controllers, needs.lives);
  if (!selected.values().some(isOfCluster)) return undefined;
  const { makeCluster } = await import('../../cluster/start-cluster.ts');
  const { options, environment } = context;
  const { random, activity, simulated } = environment;
  const settings = {
    nodes: options.nodes,
    realisticDelays: options.nodeDelays === 'realistic',
    podCidr: options.clusterCidr,
    serviceCidrs: needs.serviceCidrs,
    signer: clusterSigner(context, certificates),
    ...{ authorizer, stages },
  };
  return (names) => makeCluster({ ...needs, activity, random, settings, simulated }, names);
}
