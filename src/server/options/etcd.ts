// Options of storage in etcd, which replaces the embedded store if servers are set.

export interface EtcdOptions {
  /** URLs of the members of a cluster; empty for the embedded store. */
  readonly etcdServers: readonly string[];
  /** Prefix of all keys. */
  readonly etcdPrefix: string;
  /** PEM files: the CA for etcd, and the client certificate. */
  readonly etcdCaFile: string | undefined;
  readonly etcdCertFile: string | undefined;
  readonly etcdKeyFile: string | undefined;
  /** Resources in another etcd: `group/resource#url;url`. */
  readonly etcdServersOverrides: readonly string[];
  /** Compaction interval; 0 leaves compaction to others. */
  readonly etcdCompactionIntervalMs: number;
  readonly etcdHealthcheckTimeoutMs: number;
  readonly etcdReadycheckTimeoutMs: number;
  /** How often etcd's database size is queried; 0 for never. */
  readonly etcdDbMetricPollIntervalMs: number;
  /** How often the number of objects of each resource is queried; 0 for never. */
  readonly etcdCountMetricPollPeriodMs: number;
  readonly leaseReuseDurationSeconds: number;
  /** The encoding of objects that support several. */
  readonly storageMediaType: string;
  readonly storageBackend: string;
  /** How servers that share a store publish their addresses: `lease`, `master-count` or `none`. */
  readonly endpointReconcilerType: string;
  /** The number of servers, for `master-count`. */
  readonly apiserverCount: number;
}

const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';
const DEFAULT_ETCD_PREFIX = '/registry';

/** kube-apiserver's defaults. */
export const defaultEtcdOptions: EtcdOptions = {
  etcdServers: [],
  etcdPrefix: DEFAULT_ETCD_PREFIX,
  etcdCaFile: undefined,
  etcdCertFile: undefined,
  etcdKeyFile: undefined,
  etcdServersOverrides: [],
  etcdCompactionIntervalMs: 5 * 60_000,
  etcdHealthcheckTimeoutMs: 2_000,
  etcdReadycheckTimeoutMs: 2_000,
  etcdDbMetricPollIntervalMs: 30_000,
  etcdCountMetricPollPeriodMs: 60_000,
  leaseReuseDurationSeconds: 60,
  storageMediaType: PROTOBUF_MEDIA_TYPE,
  storageBackend: '',
  endpointReconcilerType: 'lease',
  apiserverCount: 1,
};

const RECONCILERS: readonly string[] = ['lease', 'master-count', 'none'];
const MEDIA_TYPES: readonly string[] = ['application/json', PROTOBUF_MEDIA_TYPE];

/** Errors in the options, in kube-apiserver's words where it has the same ones. */
export function etcdProblems(options: EtcdOptions): string[] {
  const problems: string[] = [];
  if (options.storageBackend !== '' && options.storageBackend !== 'etcd3') {
    problems.push("--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'");
  }
  if (!MEDIA_TYPES.includes(options.storageMediaType)) {
    const type = JSON.stringify(options.storageMediaType);
    problems.push(`--storage-media-type ${type} invalid, allowed values: ${MEDIA_TYPES.join(', ')}`);
  }
  const { endpointReconcilerType: reconciler } = options;
  if (!RECONCILERS.includes(reconciler)) {
    problems.push(`--endpoint-reconciler-type ${JSON.stringify(reconciler)} must be one of ${RECONCILERS.join(', ')}`);
  }
  if (options.etcdServersOverrides.some((text) => parseOverride(text) === undefined)) {
    problems.push(
      '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
    );
  }
  if (options.etcdServers.length === 0) problems.push(...withoutEtcd(options));
  return problems;
}

export function serverCountProblems({ apiserverCount: count }: EtcdOptions): string[] {
  return count > 0 ? [] : [`--apiserver-count should be a positive number, but value '${count}' provided`];
}

/** The error that ends the configuration of the client of etcd. */
export function etcdClientProblem({ etcdCertFile: cert, etcdKeyFile: key }: EtcdOptions): string | undefined {
  if ((cert === undefined) === (key === undefined)) return undefined;
  return `KeyFile and CertFile must both be present[key: ${key ?? ''}, cert: ${cert ?? ''}]`;
}

/** Options without effect if etcd is not used. */
function withoutEtcd(options: EtcdOptions): string[] {
  const given: [flag: string, given: boolean][] = [
    ['--etcd-servers-overrides', options.etcdServersOverrides.length > 0],
    ['--etcd-cafile', options.etcdCaFile !== undefined],
    ['--etcd-certfile', options.etcdCertFile !== undefined],
  ];
  return given.filter(([, isGiven]) => isGiven).map(([flag]) => `${flag} needs --etcd-servers`);
}

interface EtcdOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/** Parses `group/resource#url;url`; undefined if invalid. */
export function parseOverride(text: string): EtcdOverride | undefined {
  const [name = '', urls, ...moreParts] = text.split('#');
  const [group = '', resource, ...moreNames] = name.split('/');
  if (urls === undefined || resource === undefined || moreParts.length + moreNames.length > 0) return undefined;
  const servers = urls.split(';');
  return servers.includes('') ? undefined : { group, resource, servers };
}
