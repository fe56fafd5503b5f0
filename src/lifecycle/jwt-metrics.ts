// Metrics of JWT authentication, with kube-apiserver's names.

import { declareConfigurationMetrics } from './configuration-metrics.ts';
import type { MetricRegistry } from './metrics.ts';

export interface JwtMetrics {
  readonly configuration: ReturnType<typeof declareConfigurationMetrics>;
  /** @param issuer URL, which is reported as a hash */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void;
  /**
   * Records a fetch of an issuer's keys.
   *
   * @param document with the keys, which is reported as a hash; undefined if the fetch failed
   * @param seconds the time, since 1970
   */
  keysFetched(of: IssuerOfServer, document: string | undefined, seconds: number): void;
  /** Removes what was recorded of the keys of an issuer. */
  forgotten(of: IssuerOfServer): void;
}

/** An issuer as one server knows it. */
interface IssuerOfServer {
  /** Its URL, which is reported as a hash. */
  readonly issuer: string;
  readonly serverIdHash: string;
}

const RESULTS = ['success', 'failure'] as const;

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
  const fetched = registry.gauge({
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
    help: 'Time of the last fetch of the keys of a JWT issuer, by result, hash of the issuer and server.',
    stability: 'ALPHA',
    sharedByThreads: true,
    labels: ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
  });
  const keySet = registry.gauge({
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info',
    help: 'The hash of the keys of a JWT issuer that were fetched last, by hash of the issuer and server.',
    stability: 'ALPHA',
    sharedByThreads: true,
    labels: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
  });
  const shown = new Map<string, string>();
  const labelsOf = ({ issuer, serverIdHash }: IssuerOfServer) => ({
    jwt_issuer_hash: hashOf(issuer),
    apiserver_id_hash: serverIdHash,
  });
  const forgetKeys = (of: IssuerOfServer) => {
    const hash = shown.get(of.issuer);
    if (hash !== undefined) keySet.remove({ ...labelsOf(of), hash });
    shown.delete(of.issuer);
  };
  return {
    configuration: declareConfigurationMetrics(registry, 'authentication'),
    authenticated: (issuer, result, seconds) =>
      latency.with({ result, jwt_issuer_hash: hashOf(issuer) }).observe(seconds),
    keysFetched(of, document, seconds) {
      const result = document === undefined ? 'failure' : 'success';
      fetched.with({ ...labelsOf(of), result }).set(seconds);
      if (document === undefined) return;
      forgetKeys(of);
      const hash = hashOf(document);
      keySet.with({ ...labelsOf(of), hash }).set(1);
      shown.set(of.issuer, hash);
    },
    forgotten(of) {
      forgetKeys(of);
      for (const result of RESULTS) fetched.remove({ ...labelsOf(of), result });
    },
  };
}
