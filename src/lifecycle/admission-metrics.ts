// Metrics of admission, with kube-apiserver's names, labels and buckets: latencies and decisions of plugins, webhooks
// and policies.

import { declareCertificateMetrics } from './certificate-metrics.ts';
import { declareManifestMetrics } from './manifest-metrics.ts';
import type { Histogram, MetricFamily, MetricRegistry } from './metrics.ts';
import { declarePodSecurityMetrics } from './pod-security-metrics.ts';

const pluginSeconds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const webhookSeconds = [...pluginSeconds, 10, 25];
const conditionSeconds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const policySeconds = [5e-7, 0.001, 0.01, 0.1, 1];
/** Larger response codes are counted as this one. */
const MAX_CODE = 600;

export type AdmissionType = 'admit' | 'validate';

/** The result of one plugin for one request. */
export interface PluginRun {
  /** `CREATE` */
  readonly operation: string;
  readonly rejected: boolean;
  readonly seconds: number;
}

/** A call of a webhook. */
export interface WebhookRun extends PluginRun {
  readonly name: string;
  readonly type: 'admit' | 'validating';
  /** 200 if it allows the request; 0 for a failure on our side. */
  readonly code: number;
  /** Why the request was rejected; `no_error` for a decision of the webhook. */
  readonly error?: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error' | undefined;
}

/** The evaluation of match conditions for one request. */
export interface ConditionRun {
  readonly kind: 'webhook' | 'policy';
  /** Of the webhook or policy. */
  readonly name: string;
  readonly type: string;
  readonly operation: string;
  readonly seconds: number;
  /** Whether the evaluation failed. */
  readonly failed: boolean;
  /** Whether the request is excluded. */
  readonly excluded: boolean;
}

export type PolicyError = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

/** The evaluation of a policy for one binding. */
export interface PolicyRun {
  readonly policy: string;
  readonly binding: string;
  readonly error: PolicyError;
  readonly seconds: number;
}

export type EnforcementAction = 'allow' | 'deny' | 'audit' | 'warn';

export type AdmissionMetrics = ReturnType<typeof declareAdmissionMetrics>;

export function declareAdmissionMetrics(registry: MetricRegistry) {
  const { controllers, steps } = declarePlugins(registry);
  const webhooks = declareWebhooks(registry);
  const policies = declarePolicies(registry);
  const conditions = declareConditions(registry);
  return {
    podSecurity: declarePodSecurityMetrics(registry),
    certificates: declareCertificateMetrics(registry),
    /** Those of manifests, declared if there are any. */
    manifests: () => declareManifestMetrics(registry),
    /** The series of one plugin, looked up once. */
    plugin: (name: string, type: AdmissionType) =>
      new RunSeries((labels) => controllers.with({ name, type, ...labels })),
    /** The series over all plugins. */
    step: (type: AdmissionType) => new RunSeries((labels) => steps.with({ type, ...labels })),
    webhookCalled({ name, type, operation, rejected, seconds, code, error }: WebhookRun): void {
      const labels = { name, type, operation };
      const counted = String(Math.min(code, MAX_CODE));
      webhooks.requests.with({ ...labels, code: counted, rejected: String(rejected) }).add();
      webhooks.durations.with({ ...labels, rejected: String(rejected) }).observe(seconds);
      if (error === undefined) return;
      webhooks.rejections.with({ ...labels, error_type: error, rejection_code: counted }).add();
    },
    webhookFailedOpen(name: string, type: WebhookRun['type']): void {
      webhooks.failedOpen.with({ name, type }).add();
    },
    conditionsEvaluated({ kind, name, type, operation, seconds, failed, excluded }: ConditionRun): void {
      const labels = { kind, name, type, operation };
      conditions.seconds.with(labels).observe(seconds);
      if (failed) conditions.errors.with(labels).add();
      // kube-apiserver has another name for the type of validating webhooks here.
      if (excluded) conditions.exclusions.with({ ...labels, type: type === 'validating' ? 'validate' : type }).add();
    },
    validated({ policy, binding, error, seconds }: PolicyRun, action: EnforcementAction): void {
      const labels = { policy, policy_binding: binding, error_type: error, enforcement_action: action };
      policies.validations.with(labels).add();
      policies.validationSeconds.with(labels).observe(seconds);
    },
    mutated({ policy, binding, error, seconds }: PolicyRun): void {
      const labels = { policy, policy_binding: binding, error_type: error };
      policies.mutations.with(labels).add();
      policies.mutationSeconds.with(labels).observe(seconds);
    },
  };
}

type RunLabels = { readonly operation: string; readonly rejected: string };

/** The series of one plugin, each looked up on first use. */
export class RunSeries {
  readonly #find: (labels: RunLabels) => Histogram;
  readonly #admitted = new Map<string, Histogram>();

  constructor(find: (labels: RunLabels) => Histogram) {
    this.#find = find;
  }

  observe({ operation, rejected, seconds }: PluginRun): void {
    if (rejected) {
      this.#find({ operation, rejected: 'true' }).observe(seconds);
      return;
    }
    let series = this.#admitted.get(operation);
    if (series === undefined) {
      series = this.#find({ operation, rejected: 'false' });
      this.#admitted.set(operation, series);
    }
    series.observe(seconds);
  }
}

type RunFamily<Label extends string> = MetricFamily<Label | 'type' | 'operation' | 'rejected', Histogram>;

function declarePlugins(registry: MetricRegistry): { controllers: RunFamily<'name'>; steps: RunFamily<never> } {
  const labels = ['type', 'operation', 'rejected'] as const;
  return {
    controllers: registry.histogram(
      {
        name: 'apiserver_admission_controller_admission_duration_seconds',
        help: 'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
        stability: 'STABLE',
        labels: ['name', ...labels],
      },
      pluginSeconds,
    ),
    steps: registry.histogram(
      {
        name: 'apiserver_admission_step_admission_duration_seconds',
        help: 'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
        stability: 'STABLE',
        labels,
      },
      pluginSeconds,
    ),
  };
}

function declareWebhooks(registry: MetricRegistry) {
  const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    registry.counter({ name: `apiserver_admission_webhook_${name}`, help, stability: 'ALPHA', labels });
  const labels = ['name', 'type', 'operation'] as const;
  return {
    durations: registry.histogram(
      {
        name: 'apiserver_admission_webhook_admission_duration_seconds',
        help: 'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
        stability: 'STABLE',
        labels: [...labels, 'rejected'],
      },
      webhookSeconds,
    ),
    requests: counter('request_total', 'Calls of admission webhooks, by response code.', [
      ...labels,
      'code',
      'rejected',
    ]),
    rejections: counter('rejection_count', 'Requests rejected by admission webhooks, including failed calls.', [
      ...labels,
      'error_type',
      'rejection_code',
    ]),
    failedOpen: counter('fail_open_count', 'Failed calls of admission webhooks that were ignored.', ['name', 'type']),
  };
}

function declareConditions(registry: MetricRegistry) {
  const PREFIX = 'apiserver_admission_match_condition';
  const labels = ['kind', 'name', 'operation', 'type'] as const;
  const declared = (name: string, help: string) =>
    ({ name: `${PREFIX}_${name}`, help, stability: 'ALPHA', labels }) as const;
  return {
    errors: registry.counter(
      declared('evaluation_errors_total', 'Failed evaluations of match conditions of webhooks and policies.'),
    ),
    exclusions: registry.counter(
      declared('exclusions_total', 'Requests that match conditions excluded from webhooks and policies.'),
    ),
    seconds: registry.histogram(
      declared('evaluation_seconds', 'Evaluation time of match conditions of webhooks and policies in seconds.'),
      conditionSeconds,
    ),
  };
}

function declarePolicies(registry: MetricRegistry) {
  const family = <Label extends string>(
    kind: string,
    stability: 'ALPHA' | 'BETA',
    { labels, checks, seconds }: { labels: readonly Label[]; checks: string; seconds: string },
  ) => ({
    checks: registry.counter({
      name: `apiserver_${kind}_admission_policy_check_total`,
      help: checks,
      stability,
      labels,
    }),
    seconds: registry.histogram(
      {
        name: `apiserver_${kind}_admission_policy_check_duration_seconds`,
        help: seconds,
        stability,
        labels,
      },
      policySeconds,
    ),
  });
  const labels = ['policy', 'policy_binding', 'error_type'] as const;
  const validating = family('validating', 'BETA', {
    labels: [...labels, 'enforcement_action'],
    checks:
      'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    seconds:
      'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
  });
  const mutating = family('mutating', 'ALPHA', {
    labels,
    checks: 'Checks of mutating admission policies, by policy and binding.',
    seconds: 'Seconds that expressions of mutating admission policies took, by policy and binding.',
  });
  return {
    validations: validating.checks,
    validationSeconds: validating.seconds,
    mutations: mutating.checks,
    mutationSeconds: mutating.seconds,
  };
}
