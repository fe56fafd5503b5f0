// Admission plugins with metrics of their latency.

import type { Clock } from '../base/clock.ts';
import { isLater, type Soon } from '../base/soon.ts';
import type { AdmissionMetrics, AdmissionType, RunSeries } from '../lifecycle/admission-metrics.ts';
import type {
  Admission,
  AdmissionChain,
  AdmissionPlugin,
  AdmissionRequest,
  Operation,
  PendingWrite,
  Rights,
  ValidatingPlugin,
} from './chain.ts';
import { handles } from './handled-operations.ts';

/** The metrics of admission. */
export interface AdmissionObserver {
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
}

const OPERATIONS: Readonly<Record<Operation, string>> = Object.freeze({
  create: 'CREATE',
  update: 'UPDATE',
  delete: 'DELETE',
  connect: 'CONNECT',
});

/** Limits a plugin to the operations that it handles, and records its duration. Synchronous results stay synchronous. */
export function timed(plugin: AdmissionPlugin, type: AdmissionType, observer: AdmissionObserver): AdmissionPlugin {
  const run = timing(plugin.name, type, observer);
  return { name: plugin.name, admit: (request) => run(request, () => plugin.admit(request)) };
}

/** The same for a validating plugin. */
export function timedLast(plugin: ValidatingPlugin, observer: AdmissionObserver): ValidatingPlugin {
  const run = timing(plugin.name, 'validate', observer);
  return {
    name: plugin.name,
    validate: (request: AdmissionRequest, write: PendingWrite) => run(request, () => plugin.validate(request, write)),
  };
}

/** Runs a plugin if it handles the operation, and records its duration. */
export function timing(
  name: string,
  type: AdmissionType,
  { clock, metrics }: AdmissionObserver,
): (request: AdmissionRequest, run: () => Soon<void>) => Soon<void> {
  const series = metrics.plugin(name, type);
  return (request, run) => (handles(name, request.operation) ? timedRun({ clock, series, request }, run) : undefined);
}

/** Wraps all of admission with metrics for each step. */
export function timedAdmission(
  chain: AdmissionChain,
  rights: Rights,
  { clock, metrics }: AdmissionObserver,
): Admission {
  const [admitting, validating] = [metrics.step('admit'), metrics.step('validate')];
  const admit = (request: AdmissionRequest) =>
    timedRun({ clock, series: admitting, request }, () => chain.admit(request));
  return {
    rights,
    admit,
    async admitWhole(request, complete) {
      await admit(request);
      await complete?.();
      await timedRun({ clock, series: validating, request }, () => chain.judge(request));
    },
    validate: (request, write) =>
      timedRun({ clock, series: validating, request }, () => chain.validate(request, write)),
  };
}

interface Run {
  readonly clock: Clock;
  readonly series: RunSeries;
  readonly request: AdmissionRequest;
}

/** Runs a function and records its duration, and whether it rejected the request. */
function timedRun<Result>({ clock, series, request }: Run, run: () => Soon<Result>): Soon<Result> {
  const start = clock.now();
  const note = (rejected: boolean) =>
    series.observe({ operation: OPERATIONS[request.operation], rejected, seconds: (clock.now() - start) / 1000 });
  let result: Soon<Result>;
  try {
    result = run();
  } catch (error) {
    note(true);
    throw error;
  }
  if (!isLater(result)) {
    note(false);
    return result;
  }
  return result.then(
    (value) => {
      note(false);
      return value;
    },
    (error: unknown) => {
      note(true);
      throw error;
    },
  );
}
