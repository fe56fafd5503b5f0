// Handlers of probes and lifecycle hooks, whose actions have the same form.

import type { LifecycleHandler, Probe } from './container-objects.ts';

/** The action of a probe or hook. */
export type Handler = Pick<Probe & LifecycleHandler, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep'>;
