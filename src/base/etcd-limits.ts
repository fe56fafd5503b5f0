// Limits of work with etcd. They are part of limits.ts, whose comments say what limits are for.

export const etcdLimits = {
  /** How long etcd may take to respond. kube-apiserver's timeout for a whole request. */
  etcdCallMs: 34_000,
  /** How long startup waits for etcd. */
  etcdStartMs: 20_000,
  /** The largest request that is sent to etcd. kube-apiserver's value. */
  etcdMessageBytes: 2 * 1024 * 1024,
  /** Maximum number of keys in one response of etcd. */
  etcdPageKeys: 500,
  /** How often each cache is compared with etcd. kube-apiserver's period, without its random part. */
  consistencyCheckMs: 5 * 60_000,
  /** Keys in the log entry of a cache that differs from etcd. */
  loggedDifferences: 5,
} as const;
