// The way through a proxy, in its two steps: to the proxy, and from there on.

import type { Duplex } from 'node:stream';

export interface ProxyWay {
  /** How the proxy is asked and reached, as metrics name it. */
  readonly protocol: 'http_connect' | 'grpc';
  readonly transport: 'tcp' | 'uds';
  /**
   * Connects to the proxy; what that resolves to opens one connection to an address, `host:port`.
   * Both reject with an Error that says why in Go's words.
   */
  connect(signal: AbortSignal): Promise<(address: string) => Promise<Duplex>>;
}
