// Options of the aggregation layer: the client certificate for other API servers, and how to reach them.

export interface AggregationOptions {
  /** PEM files of the client certificate for other API servers and webhooks; reloaded when they change. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Whether other API servers are only reached at endpoints, never at cluster IPs or external names. */
  readonly enableAggregatorRouting: boolean;
  /** Whether redirects of other API servers are withheld from clients. */
  readonly aggregatorRejectForwardingRedirect: boolean;
  /** File of an EgressSelectorConfiguration; undefined for none. */
  readonly egressSelectorConfigFile: string | undefined;
}

export const defaultAggregationOptions: AggregationOptions = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  enableAggregatorRouting: false,
  aggregatorRejectForwardingRedirect: true,
  egressSelectorConfigFile: undefined,
};

export function aggregationProblem({
  proxyClientCertFile,
  proxyClientKeyFile,
}: AggregationOptions): string | undefined {
  if ((proxyClientCertFile === undefined) === (proxyClientKeyFile === undefined)) return undefined;
  return '--proxy-client-cert-file and --proxy-client-key-file must be given together';
}
