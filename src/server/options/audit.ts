// Options of auditing: the policy, and the log and webhook backends, each with a mode, batching and limits.

import { goQuote } from '../../base/go-quote.ts';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { isSince } from '../../lifecycle/version.ts';

type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

export interface AuditOptions {
  /** YAML file of the policy; without one nothing is audited. */
  readonly auditPolicyFile: string | undefined;
  /** The log file; `-` for standard output. */
  readonly auditLogPath: string | undefined;
  readonly auditLogFormat: string;
  readonly auditLogMode: string;
  readonly auditLogVersion: string;
  /**
   * Maximum age in days and number of old files, 0 for no limit, and maximum size of a file in megabytes; undefined for
   * the default of the release.
   */
  readonly auditLogMaxAge: number | undefined;
  readonly auditLogMaxBackup: number | undefined;
  readonly auditLogMaxSize: number | undefined;
  readonly auditLogCompress: boolean;
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxSize: number;
  readonly auditLogBatchMaxWaitMs: number;
  readonly auditLogBatchThrottleEnable: boolean;
  readonly auditLogBatchThrottleQps: number;
  readonly auditLogBatchThrottleBurst: number;
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxBatchSize: number;
  readonly auditLogTruncateMaxEventSize: number;
  /** Kubeconfig file of the webhook. */
  readonly auditWebhookConfigFile: string | undefined;
  readonly auditWebhookMode: string;
  readonly auditWebhookVersion: string;
  /** The delay after a first failure; later ones are longer. */
  readonly auditWebhookInitialBackoffMs: number;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWaitMs: number;
  readonly auditWebhookBatchThrottleEnable: boolean;
  readonly auditWebhookBatchThrottleQps: number;
  readonly auditWebhookBatchThrottleBurst: number;
  readonly auditWebhookTruncateEnabled: boolean;
  readonly auditWebhookTruncateMaxBatchSize: number;
  readonly auditWebhookTruncateMaxEventSize: number;
}

const VERSION = 'audit.k8s.io/v1';

/** kube-apiserver's defaults. */
export const defaultAuditOptions: AuditOptions = {
  auditPolicyFile: undefined,
  auditLogPath: undefined,
  auditLogFormat: 'json',
  auditLogMode: 'blocking',
  auditLogVersion: VERSION,
  auditLogMaxAge: undefined,
  auditLogMaxBackup: undefined,
  auditLogMaxSize: undefined,
  auditLogCompress: false,
  auditLogBatchBufferSize: 10_000,
  auditLogBatchMaxSize: 1,
  auditLogBatchMaxWaitMs: 0,
  auditLogBatchThrottleEnable: false,
  auditLogBatchThrottleQps: 0,
  auditLogBatchThrottleBurst: 0,
  auditLogTruncateEnabled: false,
  auditLogTruncateMaxBatchSize: 10 * 1024 * 1024,
  auditLogTruncateMaxEventSize: 100 * 1024,
  auditWebhookConfigFile: undefined,
  auditWebhookMode: 'batch',
  auditWebhookVersion: VERSION,
  auditWebhookInitialBackoffMs: 10_000,
  auditWebhookBatchBufferSize: 10_000,
  auditWebhookBatchMaxSize: 400,
  auditWebhookBatchMaxWaitMs: 30_000,
  auditWebhookBatchThrottleEnable: true,
  auditWebhookBatchThrottleQps: 10,
  auditWebhookBatchThrottleBurst: 15,
  auditWebhookTruncateEnabled: false,
  auditWebhookTruncateMaxBatchSize: 10 * 1024 * 1024,
  auditWebhookTruncateMaxEventSize: 100 * 1024,
};

/** The options of one backend, by the same names for both. */
export interface AuditBackendOptions {
  readonly plugin: 'log' | 'webhook';
  readonly mode: AuditMode;
  readonly version: string;
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  readonly maxBatchWaitMs: number;
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  readonly truncates: boolean;
  readonly maxBatchBytes: number;
  readonly maxEventBytes: number;
}

export function logBackendOptions(options: AuditOptions): AuditBackendOptions {
  return {
    plugin: 'log',
    mode: options.auditLogMode as AuditMode,
    version: options.auditLogVersion,
    bufferSize: options.auditLogBatchBufferSize,
    maxBatchSize: options.auditLogBatchMaxSize,
    maxBatchWaitMs: options.auditLogBatchMaxWaitMs,
    throttle: options.auditLogBatchThrottleEnable
      ? { qps: options.auditLogBatchThrottleQps, burst: options.auditLogBatchThrottleBurst }
      : undefined,
    truncates: options.auditLogTruncateEnabled,
    maxBatchBytes: options.auditLogTruncateMaxBatchSize,
    maxEventBytes: options.auditLogTruncateMaxEventSize,
  };
}

export function webhookBackendOptions(options: AuditOptions): AuditBackendOptions {
  return {
    plugin: 'webhook',
    mode: options.auditWebhookMode as AuditMode,
    version: options.auditWebhookVersion,
    bufferSize: options.auditWebhookBatchBufferSize,
    maxBatchSize: options.auditWebhookBatchMaxSize,
    maxBatchWaitMs: options.auditWebhookBatchMaxWaitMs,
    throttle: options.auditWebhookBatchThrottleEnable
      ? { qps: options.auditWebhookBatchThrottleQps, burst: options.auditWebhookBatchThrottleBurst }
      : undefined,
    truncates: options.auditWebhookTruncateEnabled,
    maxBatchBytes: options.auditWebhookTruncateMaxBatchSize,
    maxEventBytes: options.auditWebhookTruncateMaxEventSize,
  };
}

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];

/** Errors in kube-apiserver's words; options of unused backends are not validated. */
export function auditProblems(options: AuditOptions): string[] {
  const problems: string[] = [];
  if (options.auditLogPath !== undefined) {
    problems.push(...backendProblems(logBackendOptions(options)), ...logProblems(options));
  }
  if (options.auditWebhookConfigFile !== undefined) problems.push(...backendProblems(webhookBackendOptions(options)));
  return problems;
}

/** When the log is rotated, and which old files stay: from 1.36 on not all of them, unless flags say otherwise. */
export function logRotation(options: AuditOptions & ReleaseOptions) {
  const isBounded = isSince(requestedRelease(options).binary, 36);
  return {
    maxMegabytes: options.auditLogMaxSize ?? 100,
    maxBackups: options.auditLogMaxBackup ?? (isBounded ? 100 : 0),
    maxAgeDays: options.auditLogMaxAge ?? (isBounded ? 366 : 0),
  };
}

function logProblems(options: AuditOptions): string[] {
  const problems: string[] = [];
  const { auditLogFormat } = options;
  if (!FORMATS.includes(auditLogFormat)) {
    problems.push(`invalid audit log format ${auditLogFormat}, allowed formats are ${goQuote(FORMATS.join(','))}`);
  }
  const numbers: [flag: string, value: number][] = [
    ['--audit-log-maxage', options.auditLogMaxAge ?? 0],
    ['--audit-log-maxbackup', options.auditLogMaxBackup ?? 0],
    ['--audit-log-maxsize', options.auditLogMaxSize ?? 0],
  ];
  for (const [flag, value] of numbers) if (!(value >= 0)) problems.push(`${flag} ${value} can't be a negative number`);
  return problems;
}

function backendProblems(backend: AuditBackendOptions): string[] {
  const { plugin, version, maxEventBytes, maxBatchBytes } = backend;
  const problems = batchProblems(backend);
  if (!(maxEventBytes > 0)) {
    problems.push(`invalid audit truncate ${plugin} max event size ${maxEventBytes}, must be a positive number`);
  } else if (!(maxBatchBytes >= maxEventBytes)) {
    const than = `must be greater than max event size (${maxEventBytes})`;
    problems.push(`invalid audit truncate ${plugin} max batch size ${maxBatchBytes}, ${than}`);
  }
  if (version.split('/').length > 2) problems.push(`unexpected GroupVersion string: ${version}`);
  else if (version !== VERSION) problems.push(`invalid group version, allowed versions are [${goQuote(VERSION)}]`);
  return problems;
}

/** Only the first is reported. */
function batchProblems({ plugin, mode, bufferSize, maxBatchSize, throttle }: AuditBackendOptions): string[] {
  if (!MODES.includes(mode)) {
    return [`invalid audit ${plugin} mode ${mode}, allowed modes are ${goQuote(MODES.join(','))}`];
  }
  if (mode !== 'batch') return [];
  const numbers: [what: string, value: number][] = [
    ['buffer size', bufferSize],
    ['max batch size', maxBatchSize],
    ...(throttle === undefined
      ? []
      : ([
          ['throttle QPS', throttle.qps],
          ['throttle burst', throttle.burst],
        ] satisfies [string, number][])),
  ];
  const wrong = numbers.find(([, value]) => !(value > 0));
  if (wrong === undefined) return [];
  return [`invalid audit batch ${plugin} ${wrong[0]} ${wrong[1]}, must be a positive number`];
}
