// Handlers of probes and lifecycle hooks: their actions have one form.

import type { LifecycleHandler, Probe } from './container-objects.ts';

/** The action of a probe or of a hook. */
export type Handler = Pick<Probe & LifecycleHandler, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep'>;
