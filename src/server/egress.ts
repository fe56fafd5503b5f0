// The ways by which connections leave the server, by the network that they lead to.

import type { Dial } from '../outbound/dial.ts';

export interface Egress {
  /** To webhooks that have a URL, of admission as of authentication, authorization and audit. */
  readonly controlplane: Dial;
  /** To nodes, pods and services, the webhooks and API servers behind these among them. */
  readonly cluster: Dial;
  /** To the store; undefined where nothing is said of it. */
  readonly etcd: Dial | undefined;
  /** The ways that the file selects, undefined where it does not; undefined in whole without a file. */
  readonly selected: Selected | undefined;
}

interface Selected {
  readonly controlplane: Dial | undefined;
  readonly cluster: Dial | undefined;
}
