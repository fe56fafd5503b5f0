// Interface of proxies, in two steps: to the proxy, and from there to the destination.

import type { Duplex } from 'node:stream';

export interface ProxyWay {
  /** Protocol and transport of the proxy, for metrics. */
  readonly protocol: 'http_connect' | 'grpc';
  readonly transport: 'tcp' | 'uds';
  /**
   * Connects to the proxy; the resolved function connects to an address, `host:port`. Both reject with an Error with
   * Go's message.
   */
  connect(signal: AbortSignal): Promise<(address: string) => Promise<Duplex>>;
}
