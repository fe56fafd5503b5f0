// Metrics of JWT authentication, with kube-apiserver's names.

import { declareConfigurationMetrics } from './configuration-metrics.ts';
import type { MetricRegistry } from './metrics.ts';

export interface JwtMetrics {
  readonly configuration: ReturnType<typeof declareConfigurationMetrics>;
  /** @param issuer URL, which is reported as a hash */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void;
}

const latencySeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** @param hashOf returns the hash of a text, as `sha256:…` */
export function declareJwtMetrics(registry: MetricRegistry, hashOf: (text: string) => string): JwtMetrics {
  const latency = registry.histogram(
    {
      name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
      help: 'Latency of authentication by JWT issuers in seconds, by result and hash of the issuer.',
      stability: 'ALPHA',
      labels: ['result', 'jwt_issuer_hash'],
    },
    latencySeconds,
  );
  return {
    configuration: declareConfigurationMetrics(registry, 'authentication'),
    authenticated: (issuer, result, seconds) =>
      latency.with({ result, jwt_issuer_hash: hashOf(issuer) }).observe(seconds),
  };
}
