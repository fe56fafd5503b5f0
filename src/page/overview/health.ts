// Health of objects by what the server prints of them: the columns of kubectl get tell whether a pod is ready, a workload
// has its replicas, a Job failed or a node is lost, for any server and without reading whole objects.

import { lookup } from '../../base/lookup.ts';
/** From best to worst; `done` is neither: completed, suspended or scaled to zero. */
export type Health = 'good' | 'done' | 'warn' | 'bad';

export interface Finding {
  readonly health: Health;
  /** What objects in the same state are counted under: `ready`. */
  readonly label: string;
  /** What is the matter, in full: `1 of 3 replicas ready`. */
  readonly text: string;
}

/** Returns the text in a column; '' if the server has no such column. */
type Cell = (column: string) => string;

/** Pods on their way up or down, as opposed to failing ones. */
const STARTING = /^(ContainerCreating|PodInitializing|Init:\d+\/\d+|SchedulingGated)$/;

const JUDGES: Readonly<Record<string, (cell: Cell) => Finding>> = lookup({
  '/pods': podHealth,
  'apps/deployments': replicaHealth,
  'apps/statefulsets': replicaHealth,
  'apps/daemonsets': daemonHealth,
  'batch/jobs': jobHealth,
  'batch/cronjobs': (cell) => (cell('Suspend') === 'True' ? found('done', 'suspended') : found('good', 'scheduled')),
  '/nodes': nodeHealth,
  '/persistentvolumeclaims': claimHealth,
});

/** The kinds whose health is known, by group and plural name, in the order in which people look at them. */
export const JUDGED_KINDS: readonly string[] = Object.keys(JUDGES);

/** Returns the health of an object of one of the judged kinds. */
export function healthOf(kind: string, cell: Cell): Finding {
  return Object.hasOwn(JUDGES, kind) ? JUDGES[kind]!(cell) : found('good', '');
}

function podHealth(cell: Cell): Finding {
  const status = cell('Status');
  const [ready, all] = fraction(cell('Ready'));
  if (status === 'Completed' || status === 'Succeeded') return found('done', 'completed');
  if (status === 'Running') {
    return ready < all ? found('warn', 'not ready', `${ready} of ${all} containers ready`) : found('good', 'ready');
  }
  if (status === 'Pending') return found('warn', 'pending', status);
  if (status === 'Terminating') return found('warn', 'terminating', status);
  if (STARTING.test(status)) return found('warn', 'starting', status);
  const restarts = Number.parseInt(cell('Restarts'), 10);
  const times = restarts > 0 ? `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}` : '';
  return found('bad', 'failing', `${status}${times}`);
}

function replicaHealth(cell: Cell): Finding {
  return readiness(fraction(cell('Ready')), 'replicas');
}

function daemonHealth(cell: Cell): Finding {
  return readiness([Number(cell('Ready')), Number(cell('Desired'))], 'pods');
}

function readiness([ready, desired]: readonly [number, number], what: string): Finding {
  if (desired === 0) return found('done', 'with no pods');
  if (ready >= desired) return found('good', 'ready');
  return found(ready === 0 ? 'bad' : 'warn', 'not ready', `${ready} of ${desired} ${what} ready`);
}

function jobHealth(cell: Cell): Finding {
  const status = cell('Status');
  if (/^(Failed|FailureTarget)$/.test(status)) return found('bad', 'failed', status);
  if (status === 'Suspended') return found('done', 'suspended');
  // Servers before 1.31 have no status column.
  const [complete, all] = fraction(cell('Completions'));
  const isOver = status === 'Complete' || (status === '' && all > 0 && complete >= all);
  return isOver ? found('done', 'complete') : found('good', 'running');
}

function nodeHealth(cell: Cell): Finding {
  const words = cell('Status').split(',');
  if (!words.includes('Ready')) return found('bad', 'not ready', words.join(', '));
  if (words.includes('SchedulingDisabled')) return found('warn', 'cordoned', 'SchedulingDisabled');
  return found('good', 'ready');
}

function claimHealth(cell: Cell): Finding {
  const status = cell('Status');
  if (status === 'Bound') return found('good', 'bound');
  return status === 'Lost' ? found('bad', 'lost', status) : found('warn', 'pending', status);
}

function found(health: Health, label: string, text = label): Finding {
  return { health, label, text };
}

/** `1/3` */
function fraction(text: string): readonly [number, number] {
  const [part, whole] = text.split('/').map(Number);
  return [part || 0, whole || 0];
}
