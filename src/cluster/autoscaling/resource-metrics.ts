// Metrics of resources: what the pods of a workload use of the CPU or the memory, as a share of what they request or as
// an average.

import { ownMember } from '../../api/own-member.ts';
import { formatQuantity, parseQuantity, roundUpQuantity } from '../../api/quantity.ts';
import { messageOf } from '../../base/error-message.ts';
import type { MetricTarget, MetricValueStatus } from '../../resources/builtin/autoscaling/v2-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { runningUsageOf } from '../nodes/usage.ts';
import { proposeReplicas, type Tolerances } from './replica-proposal.ts';

const MILLI = -3;
const OF_PODS = /^(cpu|memory|hugepages-.*)$/;

export interface ResourceMeasurement {
  readonly resource: string;
  /** '' for all containers. */
  readonly container: string;
  readonly target: MetricTarget;
  readonly pods: readonly Pod[];
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

interface Proposal {
  readonly replicas: number;
  readonly status: MetricValueStatus;
  /** Whether the target is a share of the requests. */
  readonly isUtilization: boolean;
}

/** @throws Error with Kubernetes' message */
export function proposeByResource(measurement: ResourceMeasurement): Proposal {
  const { target, resource } = measurement;
  const isAverage = target.averageValue !== undefined;
  try {
    const usage = usages(measurement);
    return isAverage ? byAverage(measurement, usage) : byUtilization(measurement, usage);
  } catch (error) {
    throw new Error(`failed to get ${resource} ${isAverage ? 'usage' : 'utilization'}: ${messageOf(error)}`);
  }
}

/** What the running containers of each pod use, in thousandths, by the name of the pod. */
function usages({ pods, resource, container }: ResourceMeasurement): Map<string, number> {
  const measured = new Map<string, number>();
  let hasMetrics = false;
  for (const pod of pods) {
    const used = runningUsageOf(pod);
    if (used.length > 0) hasMetrics = true;
    const counted = container === '' ? used : used.filter(({ name }) => name === container);
    if (counted.length === 0 || (resource !== 'cpu' && resource !== 'memory')) continue;
    const amounts = counted.map(({ milliCpu, memoryBytes }) =>
      resource === 'cpu' ? milliCpu : publishedBytes(memoryBytes) * 1000,
    );
    measured.set(
      pod.metadata.name ?? '',
      amounts.reduce((sum, each) => sum + each, 0),
    );
  }
  if (hasMetrics) return measured;
  const why = 'no metrics returned from resource metrics API';
  throw new Error(`unable to get metrics for resource ${resource}: ${why}`);
}

function byAverage(measurement: ResourceMeasurement, usage: ReadonlyMap<string, number>): Proposal {
  const wanted = milliOf(measurement.target.averageValue ?? '0');
  const average = (some: ReadonlyMap<string, number>) => Math.trunc(sum(some) / some.size);
  const { replicas, counted } = proposeReplicas({
    ...{ ...measurement, usage, assumed: () => wanted },
    ratioOf: (some) => average(some) / wanted,
  });
  const averageValue = amountText(measurement.resource, average(counted));
  return { replicas, isUtilization: false, status: { averageValue } };
}

function byUtilization(measurement: ResourceMeasurement, usage: ReadonlyMap<string, number>): Proposal {
  const wanted = measurement.target.averageUtilization ?? 0;
  // Read when they are needed: pods without metrics are complained about first.
  let found: ReadonlyMap<string, number> | undefined;
  const requests = () => (found ??= requestsOf(measurement));
  const utilization = (some: ReadonlyMap<string, number>) => {
    const requested = some.keys().reduce((total, name) => total + (requests().get(name) ?? 0), 0);
    if (requested === 0) throw new Error('no metrics returned matched known pods');
    return Math.trunc((sum(some) * 100) / requested);
  };
  const { replicas, counted } = proposeReplicas({
    ...{ ...measurement, usage },
    ratioOf: (some) => utilization(some) / wanted,
    assumed: (name) => Math.trunc(((requests().get(name) ?? 0) * Math.max(100, wanted)) / 100),
  });
  const averageValue = amountText(measurement.resource, Math.trunc(sum(counted) / counted.size));
  return { replicas, isUtilization: true, status: { averageUtilization: utilization(counted), averageValue } };
}

function sum(some: ReadonlyMap<string, number>): number {
  return some.values().reduce((total, each) => total + each, 0);
}

/** What each pod requests, in thousandths, by name. @throws Error if one of them does not say */
function requestsOf({ pods, resource, container }: ResourceMeasurement): Map<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, resource, container)]));
}

function requestOf({ metadata, spec }: Pod, resource: string, container: string): number {
  const whole = spec?.resources?.requests ?? {};
  if (container === '' && Object.keys(whole).some((name) => OF_PODS.test(name))) {
    const request = ownMember(whole, resource);
    if (request !== undefined) return milliOf(request);
  }
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const all = [...(spec?.containers ?? []), ...sidecars];
  const wanted = container === '' ? all : all.filter(({ name }) => name === container);
  return wanted.reduce((total, { name, resources }) => {
    const request = ownMember(resources?.requests, resource);
    if (request !== undefined) return total + milliOf(request);
    throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
  }, 0);
}

/** The amount of memory that metrics-server publishes: whole KiB. */
function publishedBytes(bytes: number): number {
  return Math.floor(bytes / 1024) * 1024;
}

function milliOf(text: string): number {
  const { mantissa, exponent } = roundUpQuantity(parseQuantity(text), MILLI);
  return Number(mantissa * 10n ** BigInt(exponent - MILLI));
}

function amountText(resource: string, milli: number): string {
  const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
  return formatQuantity({ mantissa: BigInt(milli), exponent: MILLI, format });
}
