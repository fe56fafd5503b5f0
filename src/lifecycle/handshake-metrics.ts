// Metrics of TLS handshakes: how many wait for their turn, are in progress, ended and how, or were dropped before anything
// was computed for them. Those with the prefix `keelson_` are Keelson's own.

import type { MetricRegistry } from './metrics.ts';

export type HandshakeMetrics = ReturnType<typeof declareHandshakeMetrics>;

export function declareHandshakeMetrics(registry: MetricRegistry) {
  const stability = 'ALPHA' as const;
  return {
    begun: registry.counter({
      name: 'keelson_tls_handshakes_begun_total',
      help: 'TLS handshakes for which computation began.',
      stability,
    }),
    ended: registry.counter({
      name: 'keelson_tls_handshakes_ended_total',
      help: 'TLS handshakes that ended after computation began, by result.',
      stability,
      labels: ['result'],
    }),
    dropped: registry.counter({
      name: 'keelson_tls_handshakes_dropped_total',
      help: 'Connections closed before anything was computed for their TLS handshake, by reason.',
      stability,
      labels: ['reason'],
    }),
    waiting: registry.gauge({
      name: 'keelson_tls_handshakes_waiting',
      help: 'Connections whose TLS handshake has not begun.',
      stability,
    }),
    held: registry.gauge({
      name: 'keelson_tls_handshakes_held',
      help: 'TLS handshakes in progress that the server has answered and does not go on with while others wait to begin.',
      stability,
    }),
    inProgress: registry.gauge({
      name: 'keelson_tls_handshakes_in_progress',
      help: 'TLS handshakes that have begun and not ended.',
      stability,
    }),
    errors: registry.counter({
      name: 'apiserver_tls_handshake_errors_total',
      help: 'Connections dropped because their TLS handshake failed.',
      stability,
    }),
  };
}
