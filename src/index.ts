// The public API: a Kubernetes API server as a value.

export type { ServerOptions } from './server/options.ts';
export {
  type Clock,
  type Log,
  type Random,
  type Server,
  type ServerEnvironment,
  startServer,
} from './server/server.ts';
