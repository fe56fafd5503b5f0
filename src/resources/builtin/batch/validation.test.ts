import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import { parseIndexes } from './job-indexes.ts';
import { validateJobStatus } from './job-status-validation.ts';
import { validateCronJob, validateJob, validateJobUpdate } from './validation.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

const LABELS = {
  'batch.kubernetes.io/controller-uid': 'u',
  'batch.kubernetes.io/job-name': 'j',
  'controller-uid': 'u',
  'job-name': 'j',
};
const POD: JsonObject = {
  containers: [{ name: 'main', image: 'busybox', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }],
  restartPolicy: 'Never',
  dnsPolicy: 'ClusterFirst',
};

function job(change: JsonObject = {}, status: JsonObject = {}): ApiObject {
  const spec = {
    completionMode: 'NonIndexed',
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
    template: { metadata: { labels: LABELS }, spec: POD },
    ...change,
  };
  return { metadata: { name: 'j', uid: 'u' }, spec, status };
}

const failures = (...rules: JsonObject[]): JsonObject => ({ podFailurePolicy: { rules } });
const indexed = (change: JsonObject): JsonObject => ({
  completionMode: 'Indexed',
  completions: 5,
  parallelism: 2,
  ...change,
});
const IGNORE = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };

describe('validation of Jobs', () => {
  for (const [subject, change, ...expected] of [
    ['a valid Job', {}],
    [
      'negative counts',
      { parallelism: -1, backoffLimit: -2 },
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -2: must be greater than or equal to 0',
    ],
    [
      'a template with restartPolicy Always',
      { template: { metadata: { labels: LABELS }, spec: { ...POD, restartPolicy: 'Always' } } },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      'an Indexed Job without completions',
      { completionMode: 'Indexed' },
      'spec.completions: Required value: when completion mode is Indexed',
    ],
    [
      'an Indexed Job with too much parallelism',
      indexed({ parallelism: 100_001 }),
      'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    ],
    [
      'backoffLimitPerIndex without indexes',
      { backoffLimitPerIndex: 1 },
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    ],
    [
      'backoffLimitPerIndex with very many indexes',
      indexed({ completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 }),
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
    [
      'a selector without manualSelector',
      { selector: { matchLabels: { a: 'b' } } },
      'spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` not auto-generated',
      `spec.template.metadata.labels: Invalid value: ${JSON.stringify(LABELS)}: \`selector\` does not match template \`labels\``,
    ],
    [
      'manualSelector without a selector',
      { manualSelector: true, selector: undefined },
      'spec.selector: Required value',
      `spec.template.metadata.labels: Invalid value: ${JSON.stringify(LABELS)}: \`selector\` does not match template \`labels\``,
    ],
    ['a valid podFailurePolicy', failures(IGNORE)],
    [
      'a podFailurePolicy rule without an action',
      failures({ action: '' }),
      'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
    ],
    [
      'exit codes of a podFailurePolicy',
      failures({ action: 'FailJob', onExitCodes: { operator: 'In', containerName: 'x', values: [2, 0, 2] } }),
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
      'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
      'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 2',
      'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,0,2]: must be ordered',
    ],
    [
      'a successPolicy without indexes',
      { successPolicy: { rules: [] } },
      'spec.successPolicy: Invalid value: {"Rules":[]}: requires indexed completion mode',
    ],
    [
      'a successPolicy that requires more successes than indexes',
      indexed({ successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }, {}] } }),
      'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      'spec.successPolicy.rules[1]: Required value: at least one of succeededCount or succeededIndexes must be specified',
    ],
    [
      'managedBy without a domain',
      { managedBy: 'x' },
      'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of Jobs checks ${subject}`, () => assert.deepEqual(text(validateJob(job(change))), expected));
  }

  it('validation of Jobs requires the labels of the pod template that identify pods of the Job', () => {
    const template = { metadata: { labels: { ...LABELS, 'job-name': 'x' } }, spec: POD };
    assert.deepEqual(
      validateJob(job({ template })).map(({ field }) => field),
      ['spec.template.metadata.labels[job-name]'],
    );
  });

  it('validation of Jobs rejects a name from which no valid pod name can be made', () => {
    const long = job(indexed({ completions: 10 }));
    long.metadata.name = 'n'.repeat(62);
    const found = validateJob(long).filter(({ field }) => field === 'metadata.name');
    assert.deepEqual(
      found.map(({ detail }) => detail),
      [`will not able to create pod with invalid DNS label: ${'n'.repeat(62)}-9`],
    );
  });
});

describe('validation of updates of Jobs', () => {
  const placed = { metadata: { labels: LABELS }, spec: { ...POD, nodeSelector: { disk: 'ssd' } } };
  for (const [subject, next, previous, ...expected] of [
    ['a change of parallelism', job({ parallelism: 2 }), job({ parallelism: 1 })],
    [
      'a change of completions',
      job({ completions: 3 }),
      job(),
      'spec.completions: Invalid value: 3: field is immutable',
    ],
    [
      'a change of completions together with parallelism of an Indexed Job',
      job(indexed({ completions: 3, parallelism: 3 })),
      job(indexed({})),
    ],
    [
      'a change of completions alone of an Indexed Job',
      job(indexed({ completions: 3 })),
      job(indexed({})),
      'spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism',
    ],
    ['a change of node selection of a suspended Job', job({ suspend: true, template: placed }), job({ suspend: true })],
    [
      'a change of completionMode, with both of its errors',
      job({ completionMode: 'Indexed' }),
      job(),
      'spec.completions: Required value: when completion mode is Indexed',
      'spec.completionMode: Invalid value: "Indexed": field is immutable',
    ],
  ] as readonly (readonly [string, ApiObject, ApiObject, ...string[]])[]) {
    it(`validation of updates of Jobs checks ${subject}`, () =>
      assert.deepEqual(text(validateJobUpdate(next, previous)), expected));
  }

  it('validation of updates of Jobs rejects a change of the pod template of a Job that has started', () => {
    const found = validateJobUpdate(job({ template: placed }), job());
    assert.deepEqual(
      found.map(({ field, detail }) => `${field}: ${detail}`),
      ['spec.template: field is immutable'],
    );
  });
});

describe('validation of the status of Jobs', () => {
  const condition = (...types: string[]) => ({ conditions: types.map((type) => ({ type, status: 'True' })) });
  const [start, end] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'];
  const complete = { ...condition('SuccessCriteriaMet', 'Complete'), startTime: start, completionTime: end };
  for (const [subject, status, previous, ...expected] of [
    ['a completed Job', complete, { startTime: start }],
    [
      'Complete without SuccessCriteriaMet',
      { ...complete, ...condition('Complete') },
      { startTime: start },
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [
      'Complete together with Failed',
      { ...complete, ...condition('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
      { startTime: start },
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
    [
      'Complete with active pods',
      { ...complete, active: 1 },
      complete,
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
    ],
    [
      'a removal of Complete',
      { ...complete, ...condition('SuccessCriteriaMet') },
      complete,
      'status.completionTime: Invalid value: "2026-01-01T01:00:00Z": cannot set completionTime when there is no Complete=True condition',
      'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    ],
    [
      'a change of startTime',
      { startTime: end },
      { startTime: start },
      'status.startTime: Required value: startTime cannot be removed for unsuspended job',
    ],
    [
      'counters that decrease',
      { succeeded: 1, ready: 2, active: 1 },
      { succeeded: 2 },
      'status.ready: Invalid value: 2: cannot set more ready pods than active',
      'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
    ],
    [
      'an uncounted pod that both succeeded and failed',
      { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } },
      {},
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    ],
    [
      'completedIndexes without indexes',
      { completedIndexes: '0' },
      {},
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
  ] as readonly (readonly [string, JsonObject, JsonObject, ...string[]])[]) {
    it(`validation of the status of Jobs checks ${subject}`, () =>
      assert.deepEqual(
        text(validateJobStatus(job({}, status), job({}, previous), { gateEnabled: () => true } as never)),
        expected,
      ));
  }
});

describe('parsing of completed and failed indexes', () => {
  for (const [given, expected] of [
    ['', 0],
    ['0,2-4', 4],
    ['1-', 'cannot convert string to integer for index: ""'],
    ['9', 'too large index: "9"'],
    ['3-2', 'non-increasing order, previous: 3, current: 2'],
    ['2,1', 'non-increasing order, previous: 2, current: 1'],
    [
      '0-1-2',
      'the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by \'-\'',
    ],
  ] as const) {
    it(`parsing of completed and failed indexes checks ${JSON.stringify(given)}`, () =>
      assert.equal(parseIndexes(given, 9), expected));
  }
});

describe('validation of CronJobs', () => {
  function cronJob(change: JsonObject, template: JsonObject = {}): ApiObject {
    const spec = {
      schedule: '* * * * *',
      concurrencyPolicy: 'Allow',
      jobTemplate: { spec: { template: { spec: POD }, ...template } },
      ...change,
    };
    return { metadata: { name: 'c' }, spec };
  }
  for (const [subject, object, ...expected] of [
    ['a valid CronJob', cronJob({})],
    ['a CronJob without a schedule', cronJob({ schedule: '' }), 'spec.schedule: Required value'],
    [
      'an unknown concurrencyPolicy',
      cronJob({ concurrencyPolicy: 'Maybe' }),
      'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      'a selector in the Job template',
      cronJob({}, { selector: {}, manualSelector: true }),
      'spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
  ] as readonly (readonly [string, ApiObject, ...string[]])[]) {
    it(`validation of CronJobs checks ${subject}`, () => assert.deepEqual(text(validateCronJob(object)), expected));
  }

  it('validation of CronJobs requires a name that leaves room for the names of its Jobs', () => {
    const long = cronJob({});
    long.metadata.name = 'c'.repeat(53);
    assert.deepEqual(
      validateCronJob(long).map(({ detail }) => detail),
      ['must be no more than 52 characters'],
    );
  });
});
