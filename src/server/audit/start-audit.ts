// Auditing as configured by options: reads the policy and creates the backends. Loaded only if there are such options.

import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CallObserver } from '../../api/call-trace.ts';
import { Auditor, lossReport } from '../../audit/auditor.ts';
import { BatchingSink } from '../../audit/batching-sink.ts';
import { type LineOutput, type LogFormat, LogWriter } from '../../audit/log-writer.ts';
import { PolicyEvaluator } from '../../audit/policy.ts';
import { PolicyError, readPolicy } from '../../audit/policy-reader.ts';
import type { AuditSink, EventWriter, LossReport } from '../../audit/sink.ts';
import { TruncatingSink } from '../../audit/truncating-sink.ts';
import { UnionSink } from '../../audit/union-sink.ts';
import { WebhookWriter } from '../../audit/webhook-writer.ts';
import { WritingSink } from '../../audit/writing-sink.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { AuditMetrics } from '../../lifecycle/audit-metrics.ts';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import type { Dial } from '../../outbound/dial.ts';
import { readKubeconfig } from '../../outbound/kubeconfig.ts';
import { KubeconfigClient } from '../../outbound/kubeconfig-client.ts';
import { makeFolder, readText, systemFault } from '../files.ts';
import {
  type AuditBackendOptions,
  type AuditOptions,
  logBackendOptions,
  logRotation,
  webhookBackendOptions,
} from '../options/audit.ts';
import type { Limits } from '../threads/shares.ts';
import type { Team } from '../threads/team.ts';
import { RotatingFile } from './rotating-file.ts';

interface AuditNeeds {
  readonly options: AuditOptions & ReleaseOptions;
  /** Those of this serving thread. */
  readonly limits: Pick<Limits, 'auditQueuedCharacters' | 'auditWebhookCalls'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: AuditMetrics;
  readonly dial: Dial;
  readonly observeCall?: CallObserver;
  /** Standard output. */
  readonly output: LineOutput;
  /** The serving threads of which this one is one; they share a log in a file. */
  readonly team?: Pick<Team, 'auditLog' | 'auditTo'> | undefined;
}

/**
 * Undefined if nothing is audited, for lack of a policy or a backend.
 * @throws Error for an unusable file; its message names it
 */
export async function startAudit(needs: AuditNeeds): Promise<Auditor | undefined> {
  const { options, clock, metrics, limits: own } = needs;
  const policy = options.auditPolicyFile === undefined ? undefined : await loadPolicy(options.auditPolicyFile, needs);
  const report = lossReport(needs);
  const sinks: AuditSink[] = [];
  if (options.auditLogPath !== undefined) {
    const output = logOutput(options.auditLogPath, needs);
    const format = options.auditLogFormat as LogFormat;
    if (policy !== undefined) {
      const writer = new LogWriter({ output, format, report });
      sinks.push(backend(writer, logBackendOptions(options), { clock, report, limits: own }));
    }
  }
  if (options.auditWebhookConfigFile !== undefined && policy !== undefined) {
    const writer = await webhookWriter(options.auditWebhookConfigFile, needs, report);
    sinks.push(backend(writer, webhookBackendOptions(options), { clock, report, limits: own }));
  }
  if (policy === undefined || sinks.length === 0) return undefined;
  const sink = sinks.length === 1 ? sinks[0]! : new UnionSink(sinks);
  return new Auditor({ policy, sink, clock, metrics });
}

async function loadPolicy(path: string, { log, options }: AuditNeeds): Promise<PolicyEvaluator> {
  try {
    const { policy, warning } = await readPolicy(readPolicyFile(path), requestedRelease(options).binary);
    if (warning !== '') log.warn('the audit policy has errors, which are ignored', { path, error: warning });
    return new PolicyEvaluator(policy);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new Error(`loading audit policy file: ${error.message}: from file ${path}`);
  }
}

function readPolicyFile(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new Error(`loading audit policy file: failed to read file path ${JSON.stringify(path)}: ${message(error)}`);
  }
}

function message(error: unknown): string {
  return (error as Error).message;
}

/** The file is created immediately, so that a path that is not writable is noticed at startup. */
function logOutput(path: string, { options, clock, log, output, team }: AuditNeeds): LineOutput {
  if (path === '-') return output;
  if (team?.auditLog !== undefined) return team.auditLog;
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new Error(`ensureLogFile: ${systemFault(error)}`);
  }
  const file = new RotatingFile({
    ...{ path, clock, log },
    ...logRotation(options),
    compresses: options.auditLogCompress,
  });
  team?.auditTo(file);
  return file;
}

async function webhookWriter(path: string, needs: AuditNeeds, report: LossReport): Promise<EventWriter> {
  const { clock, random, dial, options, observeCall } = needs;
  let client: KubeconfigClient;
  try {
    client = new KubeconfigClient({
      ...{ dial, clock, observeCall },
      target: await readKubeconfig(path, readText),
    });
  } catch (error) {
    throw new Error(`initializing audit webhook: ${message(error)}`);
  }
  return new WebhookWriter({
    ...{ clock, random, report },
    send: (list) => client.post(list, limits.auditWebhookMs),
    close: () => client.close(),
    initialBackoffMs: options.auditWebhookInitialBackoffMs,
  });
}

function backend(
  writer: EventWriter,
  options: AuditBackendOptions,
  { clock, report, limits: own }: Pick<AuditNeeds, 'clock' | 'limits'> & { report: LossReport },
): AuditSink {
  const { plugin, mode, truncates, maxEventBytes } = options;
  const isLog = plugin === 'log';
  const maxWrites = isLog ? 1 : own.auditWebhookCalls;
  const maxCharacters = own.auditQueuedCharacters;
  const sink =
    mode === 'batch'
      ? new BatchingSink({ ...options, maxWrites, maxCharacters, writer, clock, report })
      : new WritingSink({
          ...{ writer, plugin, maxWrites, maxCharacters, report },
          // A file receives everything at once; a webhook without batching receives one event at a time.
          maxEvents: isLog ? Number.POSITIVE_INFINITY : 1,
          isStrict: mode === 'blocking-strict',
          defer: (run) => setImmediate(run),
        });
  return truncates ? new TruncatingSink({ next: sink, maxEventSize: maxEventBytes, report }) : sink;
}
