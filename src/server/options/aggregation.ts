// Options of the aggregation layer: the certificate that other API servers believe, and how they are reached.

export interface AggregationOptions {
  /** PEM files of what is shown to other API servers and webhooks; read again when they change. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Whether other API servers are reached at endpoints alone, never at cluster addresses or external names. */
  readonly enableAggregatorRouting: boolean;
  /** Whether redirects of other API servers are kept from clients. */
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

export function aggregationProblems({ proxyClientCertFile, proxyClientKeyFile }: AggregationOptions): string[] {
  if ((proxyClientCertFile === undefined) === (proxyClientKeyFile === undefined)) return [];
  return ['--proxy-client-cert-file and --proxy-client-key-file must be given together'];
}
