// Dialers for outgoing connections, by destination network.

import type { Dial } from '../outbound/dial.ts';

export interface Egress {
  /** For webhooks with a URL: of admission, authentication, authorization and audit. */
  readonly controlplane: Dial;
  /** For nodes, pods and services, including the webhooks and API servers behind services. */
  readonly cluster: Dial;
  /** For etcd; undefined if not configured. */
  readonly etcd: Dial | undefined;
  /**
   * Dialers of the configuration file, undefined for networks that it does not mention; undefined as a whole without a
   * file.
   */
  readonly selected: Selected | undefined;
}

interface Selected {
  readonly controlplane: Dial | undefined;
  readonly cluster: Dial | undefined;
}
