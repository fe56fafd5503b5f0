// Admission plugins with metrics of their latency.

import type { Clock } from '../base/clock.ts';
import { isLater, type Soon } from '../base/soon.ts';
import type { AdmissionMetrics, AdmissionType, RunSeries } from '../lifecycle/admission-metrics.ts';
import type { Admission, AdmissionPlugin, AdmissionRequest, Operation } from './chain.ts';

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

/** The plugin with metrics. Synchronous results stay synchronous. */
export function timed(plugin: AdmissionPlugin, type: AdmissionType, observer: AdmissionObserver): AdmissionPlugin {
  const series = observer.metrics.plugin(plugin.name, type);
  const { clock } = observer;
  return { name: plugin.name, admit: (request) => timedRun({ clock, series, request }, () => plugin.admit(request)) };
}

/** All of admission with metrics of each step. */
export function timedAdmission(admission: Admission, { clock, metrics }: AdmissionObserver): Admission {
  const [admit, validate] = [metrics.step('admit'), metrics.step('validate')];
  return {
    admit: (request) => timedRun({ clock, series: admit, request }, () => admission.admit(request)),
    admitWhole: async (request) => timedRun({ clock, series: admit, request }, () => admission.admitWhole(request)),
    validate: (request, write) =>
      timedRun({ clock, series: validate, request }, () => admission.validate(request, write)),
  };
}

interface Run {
  readonly clock: Clock;
  readonly series: RunSeries;
  readonly request: AdmissionRequest;
}

/** Runs a function and records its duration, and whether it rejected the request. */
export function timedRun<Result>({ clock, series, request }: Run, run: () => Soon<Result>): Soon<Result> {
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
