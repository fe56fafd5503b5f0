// The parts of a cluster as one controller: they share informers, and are started and stopped together.

import { Pace } from '../base/pace.ts';
import type { Controller, ControllerContext } from '../controllers/controller.ts';
import type { ClusterControllerName } from '../controllers/controller-names.ts';
import type { ClusterContext } from './context.ts';
import { Informers } from './informer.ts';
import { makers } from './makers.ts';

type ClusterNeeds = ControllerContext & Omit<ClusterContext, 'informers' | 'pace'>;

/** The parts with these names. */
export function makeCluster(needs: ClusterNeeds, names: readonly ClusterControllerName[]): Controller {
  const { activity, log } = needs;
  const informers = new Informers(needs);
  const writes = new Pace(() => needs.clock.now(), setImmediate);
  const pace: ClusterContext['pace'] = { run: (piece) => activity.during(writes.run(piece)) };
  const context: ClusterContext = { ...needs, informers, pace };
  const parts = names.map((name) => makers[name](context));
  let stopping = false;
  return {
    name: 'cluster',
    async start() {
      const starting = parts.map((part) =>
        part.start().catch((error: unknown) => {
          if (!stopping) log.warn('a controller could not be started', { controller: part.name, error });
        }),
      );
      await activity.during(Promise.all(starting));
    },
    async stop() {
      stopping = true;
      await Promise.all(parts.map((part) => part.stop()));
      informers.close();
    },
  };
}
