// Etcd flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const etcdFlags: readonly Flag[] = [
  {
    name: 'enable-garbage-collector',
    type: 'bool',
    option: 'enableGarbageCollector',
    help: 'Enable the garbage collector.',
  },
  {
    name: 'encryption-provider-config',
    type: 'file',
    option: 'encryptionProviderConfig',
    help: 'EncryptionConfiguration file for encryption at rest.',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    type: 'bool',
    option: 'encryptionProviderConfigAutomaticReload',
    help: 'Reload that file when it changes.',
  },
  {
    name: 'etcd-cafile',
    type: 'file',
    option: 'etcdCaFile',
    help: 'CA bundle for verifying etcd, PEM.',
  },
  {
    name: 'etcd-certfile',
    type: 'file',
    option: 'etcdCertFile',
    help: 'Client certificate for etcd, PEM.',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    option: 'etcdCompactionIntervalMs',
    help: 'How often to compact etcd; 0 for never.',
  },
  {
    name: 'etcd-count-metric-poll-period',
    type: 'duration',
    option: 'etcdCountMetricPollPeriodMs',
    help: 'How often to count objects; 0 for never.',
  },
  {
    name: 'etcd-db-metric-poll-interval',
    type: 'duration',
    option: 'etcdDbMetricPollIntervalMs',
    help: 'How often to query the size of etcd; 0 for never.',
  },
  {
    name: 'etcd-healthcheck-timeout',
    type: 'duration',
    option: 'etcdHealthcheckTimeoutMs',
    help: 'The timeout of health checks of etcd.',
  },
  {
    name: 'etcd-keyfile',
    type: 'file',
    option: 'etcdKeyFile',
    help: 'PEM file of the key of that certificate.',
  },
  {
    name: 'etcd-prefix',
    type: 'string',
    option: 'etcdPrefix',
    help: 'The prefix of all keys in etcd.',
  },
  {
    name: 'etcd-readycheck-timeout',
    type: 'duration',
    option: 'etcdReadycheckTimeoutMs',
    help: 'The timeout of readiness checks.',
  },
  {
    name: 'etcd-servers',
    type: 'strings',
    option: 'etcdServers',
    help: 'Store the data in etcd: scheme://ip:port of its members.',
  },
  {
    name: 'etcd-servers-overrides',
    type: 'strings',
    option: 'etcdServersOverrides',
    help: 'Resources stored in other etcd clusters: group/resource#url;url.',
  },
  {
    name: 'lease-reuse-duration-seconds',
    type: 'int',
    option: 'leaseReuseDurationSeconds',
    help: 'How long events share one lease.',
  },
  {
    name: 'storage-backend',
    type: 'string',
    option: 'storageBackend',
    help: "The kind of store: 'etcd3' or empty.",
  },
  {
    name: 'storage-media-type',
    type: 'string',
    option: 'storageMediaType',
    help: 'Storage media type of objects.',
  },
  {
    name: 'watch-cache',
    type: 'bool',
    option: 'watchCache',
    help: 'Let reads at version 0 show an older state than the store has.',
  },
];
