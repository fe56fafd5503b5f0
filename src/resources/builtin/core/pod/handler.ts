// What is done to a container from outside: probes and hooks have actions of one form.

import type { LifecycleHandler, Probe } from './container-objects.ts';

/** The action of a probe or of a hook. */
export type Handler = Pick<Probe & LifecycleHandler, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep'>;
