// Flags of kube-apiserver that can have no effect here and harm nobody by that: they are accepted, so that command
// lines made for it start this server, their values are checked by type, and a warning says why nothing comes of them.

import type { flagTypes } from './flag.ts';

export interface AcceptedFlag {
  readonly name: string;
  readonly type: keyof typeof flagTypes;
  /** Why it can have no effect. */
  readonly why: string;
  /** What kube-apiserver says of a deprecated one. */
  readonly deprecated?: string;
}

const PROFILES = 'the profiles of Go are not served';
const ELECTIONS = 'other programs elect their leaders themselves';
const PEERS = 'requests are not passed on to servers of other versions';

export const acceptedFlags: readonly AcceptedFlag[] = [
  { name: 'contention-profiling', type: 'bool', why: PROFILES },
  { name: 'coordinated-leadership-lease-duration', type: 'duration', why: ELECTIONS },
  { name: 'coordinated-leadership-renew-deadline', type: 'duration', why: ELECTIONS },
  { name: 'coordinated-leadership-retry-period', type: 'duration', why: ELECTIONS },
  { name: 'debug-socket-path', type: 'string', why: PROFILES },
  { name: 'delete-collection-workers', type: 'int', why: 'deletions of a collection share the commits of the store' },
  {
    name: 'enable-logs-handler',
    type: 'bool',
    why: '/logs is not served',
    deprecated: 'Log handler functionality is deprecated',
  },
  { name: 'peer-advertise-ip', type: 'string', why: PEERS },
  { name: 'peer-advertise-port', type: 'string', why: PEERS },
  { name: 'peer-ca-file', type: 'string', why: PEERS },
  { name: 'permit-address-sharing', type: 'bool', why: 'addresses are always shared' },
  { name: 'profiling', type: 'bool', why: PROFILES },
  { name: 'storage-initialization-timeout', type: 'duration', why: 'the store is open before the server listens' },
  { name: 'watch-cache-sizes', type: 'strings', why: 'watch caches hold all that is stored' },
];
