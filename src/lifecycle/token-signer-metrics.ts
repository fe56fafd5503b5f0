// Metrics of an external signer of service account tokens, with kube-apiserver's names.

import type { Clock } from '../base/clock.ts';
import type { MetricRegistry } from './metrics.ts';

export type TokenSignerMetrics = ReturnType<typeof declareTokenSignerMetrics>;

const callSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The gRPC code, or one for failures without a call. */
type Code = string;

export function declareTokenSignerMetrics(registry: MetricRegistry, clock: Clock) {
  const name = (end: string) => `apiserver_externaljwt_${end}`;
  const counter = (end: string, help: string) =>
    registry.counter({ name: name(end), help, stability: 'ALPHA', labels: ['code'] });
  const gauge = (end: string, help: string) =>
    registry.gauge({ name: name(end), help, stability: 'ALPHA', sharedByThreads: true });
  const fetches = counter('fetch_keys_request_total', 'Fetches of keys, by response code.');
  const signatures = counter('sign_request_total', 'Token signing requests, by response code.');
  const fetched = gauge(
    'fetch_keys_success_timestamp',
    'When keys were last fetched, in seconds since the Unix epoch.',
  );
  const dated = gauge(
    'fetch_keys_data_timestamp',
    'When the signer says that it read the keys it gave last, in seconds since the Unix epoch.',
  );
  const seconds = registry.histogram(
    {
      name: name('request_duration_seconds'),
      help: 'Latency of calls of the signer in seconds, by method and response code.',
      stability: 'ALPHA',
      labels: ['method', 'code'],
    },
    callSeconds,
  );
  return {
    called: (call: { readonly method: string; readonly code: Code; readonly seconds: number }) =>
      seconds.with({ method: call.method, code: call.code }).observe(call.seconds),
    signed: (code: Code) => signatures.with({ code }).add(),
    fetched(code: Code, dataSeconds: number): void {
      fetches.with({ code }).add();
      if (code !== 'OK') return;
      fetched.with({}).set(clock.now() / 1_000);
      dated.with({}).set(dataSeconds);
    },
  };
}
