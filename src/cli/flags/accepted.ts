// Flags of kube-apiserver that have no effect here: they are accepted, so that its command lines work, their values are
// validated by type, and a warning says why they have no effect.

import type { flagTypes } from './flag.ts';

export interface AcceptedFlag {
  readonly name: string;
  readonly type: keyof typeof flagTypes;
  /** Why it has no effect. */
  readonly why: string;
  /** kube-apiserver's deprecation message. */
  readonly deprecated?: string;
}

const LOG = 'log entries are written immediately';

export const acceptedFlags: readonly AcceptedFlag[] = [
  { name: 'contention-profiling', type: 'bool', why: 'requests do not contend for locks' },
  { name: 'debug-socket-path', type: 'string', why: 'profiles are served on the secure port only' },
  {
    name: 'default-watch-cache-size',
    type: 'int',
    why: 'watch caches contain all stored objects',
    deprecated: 'watch caches are sized automatically and this flag will be removed in a future version',
  },
  { name: 'delete-collection-workers', type: 'int', why: 'deletions of a collection share commits' },
  {
    name: 'enable-logs-handler',
    type: 'bool',
    why: '/logs is not served',
    deprecated: 'Log handler functionality is deprecated',
  },
  {
    name: 'kubelet-port',
    type: 'uint',
    why: 'nodes report the ports of their kubelets',
    deprecated: 'kubelet-port is deprecated and will be removed.',
  },
  {
    name: 'kubelet-read-only-port',
    type: 'uint',
    why: 'kubelets are only reached on their secure port',
    deprecated: 'kubelet-read-only-port is deprecated and will be removed.',
  },
  { name: 'kubelet-timeout', type: 'duration', why: 'kube-apiserver ignores it too' },
  { name: 'log-flush-frequency', type: 'duration', why: LOG },
  { name: 'log-json-info-buffer-size', type: 'quantity', why: LOG },
  { name: 'log-text-info-buffer-size', type: 'quantity', why: LOG },
  { name: 'permit-address-sharing', type: 'bool', why: 'addresses are always shared' },
  { name: 'storage-initialization-timeout', type: 'duration', why: 'the store is open before the server listens' },
  { name: 'watch-cache-sizes', type: 'strings', why: 'watch caches contain all stored objects' },
];
