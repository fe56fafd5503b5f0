// Random Jobs and CronJobs.

import { type Chooser, created, deletion, patched, type Step } from './step.ts';

const JOBS = 'apis/batch/v1/NS/jobs';
/** Deadlines pass a while after what would be done by then has been done. */
const LATE = { quietMs: 8_000 };

/** Rules for failures, which need pods that are not restarted. */
function failurePolicy(choose: Chooser, isByIndex: boolean): object {
  const action = choose('FailJob', 'Ignore', 'Count', ...(isByIndex ? ['FailIndex'] : []));
  const onExitCodes = choose<object>(
    { operator: 'In', values: [3] },
    { operator: 'NotIn', values: [1] },
    { containerName: 'main', operator: 'In', values: [3, 4] },
  );
  const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
  const rules = choose<object[]>(
    [{ action, onExitCodes }],
    [
      { action: 'Ignore', onPodConditions },
      { action, onExitCodes },
    ],
  );
  return { podFailurePolicy: { rules } };
}

function indexing(choose: Chooser, completions: number): object {
  const succeededIndexes = choose('0', `0-${completions - 1}`);
  const rules = choose<object[]>(
    [{ succeededIndexes }],
    [{ succeededCount: 1 }],
    [{ succeededIndexes, succeededCount: 1 }],
  );
  return choose<object>(
    {},
    {},
    { successPolicy: { rules } },
    { backoffLimitPerIndex: choose(0, 1), ...choose<object>({}, { maxFailedIndexes: choose(0, 1) }) },
  );
}

function jobTemplate(command: readonly string[], restartPolicy: string): object {
  const containers = [{ name: 'main', image: 'busybox', command }];
  return { spec: { restartPolicy, containers, terminationGracePeriodSeconds: 1 } };
}

const FAILS = ['sh', '-c', 'exit 3'];

function commandOf(choose: Chooser): readonly string[] {
  return choose(['true'], ['true'], FAILS, ['sleep', '1'], ['sleep', '600']);
}

function jobSpec(choose: Chooser): object {
  const completions = choose(1, 2, 4);
  const isIndexed = choose(true, false);
  const index = isIndexed ? { completionMode: 'Indexed', ...indexing(choose, completions) } : {};
  const restartPolicy = choose('Never', 'Never', 'OnFailure');
  const command = commandOf(choose);
  const policy = restartPolicy === 'Never' ? failurePolicy(choose, 'backoffLimitPerIndex' in index) : {};
  return {
    ...(isIndexed || choose(true, true, false) ? { completions } : {}),
    // Of several pods of which one decides, the first may end the Job before the others have begun.
    ...{
      parallelism: command === FAILS || 'successPolicy' in index ? 1 : choose(1, 2, 3),
      ...('backoffLimitPerIndex' in index ? {} : { backoffLimit: choose(0, 1) }),
    },
    ...index,
    ...choose<object>({}, {}, policy),
    ...choose<object>({}, { suspend: true }, { activeDeadlineSeconds: 6 }, { ttlSecondsAfterFinished: choose(0, 1) }),
    ...('podFailurePolicy' in policy
      ? {}
      : choose<object>({}, { podReplacementPolicy: choose('Failed', 'TerminatingOrFailed') })),
    template: jobTemplate(command, restartPolicy),
  };
}

export function jobs(choose: Chooser): Step[] {
  const path = `${JOBS}/j`;
  const spec = jobSpec(choose);
  const change = () =>
    choose(
      patched(path, { spec: { suspend: choose(true, false) } }),
      patched(path, { spec: { parallelism: choose(0, 2) } }),
      patched(path, { spec: { parallelism: 3, completions: 3 } }),
      patched(path, { spec: { activeDeadlineSeconds: 6 } }, LATE),
    );
  return [
    created(JOBS, { name: 'j' }, { spec }, 'activeDeadlineSeconds' in spec ? LATE : {}),
    ...Array.from({ length: choose(0, 1, 2) }, change),
    ...choose<Step[]>([], [deletion(choose, path)]),
  ];
}

/** A CronJob that runs once, or not at all, as it is suspended or its time never comes. */
export function cronJobs(choose: Chooser): Step[] {
  const path = 'apis/batch/v1/NS/cronjobs';
  const awaitsMinute = choose(true, false, false);
  const spec = {
    schedule: awaitsMinute ? '* * * * *' : choose('* * * * *', '0 0 30 2 *', '@yearly'),
    ...(awaitsMinute ? {} : { suspend: true }),
    ...choose<object>({}, { concurrencyPolicy: choose('Forbid', 'Replace') }),
    ...choose<object>({}, { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: choose(0, 1) }),
    ...choose<object>({}, { timeZone: 'Europe/Berlin' }, { startingDeadlineSeconds: 20 }),
    jobTemplate: {
      metadata: { labels: { of: 'c' } },
      spec: { backoffLimit: 0, template: jobTemplate(commandOf(choose), 'Never') },
    },
  };
  const run = { 'cronjob.kubernetes.io/instantiate': 'manual' };
  const manual = created(JOBS, { name: 'manual', annotations: run }, { spec: spec.jobTemplate.spec });
  return [
    created(path, { name: 'c' }, { spec }, { awaitsMinute, waits: !awaitsMinute }),
    ...(awaitsMinute ? [patched(`${path}/c`, { spec: { suspend: true } })] : choose<Step[]>([], [manual])),
    ...choose<Step[]>([], [deletion(choose, `${path}/c`)]),
  ];
}
