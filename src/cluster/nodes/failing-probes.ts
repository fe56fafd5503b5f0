// Probes that fail until the kubelet kills their container: liveness and startup probes, by the annotations of the pod or
// because they run a command that fails. Each failure is an event, and with as many as the probe's threshold the container is killed, and restarted.

import type { Probe } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { isRestarted, type PodContainer } from './container-kinds.ts';
import { exitCodeOf } from './container-plan.ts';
import type { ContainerScript } from './pod-script.ts';

export interface FailingProbe {
  readonly kind: 'liveness' | 'startup';
  /** When it fails next. */
  nextMs: number;
  /** How often it fails until the container is killed. */
  left: number;
}

/** A container, its pod, and where to report. */
interface Probed {
  readonly container: PodContainer;
  readonly world: { readonly pod: Pod; warn(about: PodContainer, reason: string, message: string): void };
}

/** What becomes of a container whose probe has failed too often. */
interface Kill {
  readonly graceMs: number | undefined;
  readonly message: string;
}

/** Whether a probe runs a command that fails. */
export function runsFailure({ exec }: Probe = {}): boolean {
  return exitCodeOf((exec?.command ?? []).join(' ')) !== 0;
}

/** The probe of a container that fails during a run; undefined if none does. */
export function failingProbe(
  { spec }: PodContainer,
  script: ContainerScript | undefined,
  startedMs: number,
): FailingProbe | undefined {
  const { startupProbe, livenessProbe } = spec;
  if (startupProbe !== undefined && (script?.startupFails === true || runsFailure(startupProbe))) {
    return { kind: 'startup', nextMs: startedMs + initialMs(startupProbe), left: thresholdOf(startupProbe) };
  }
  const failsAfterMs = script?.livenessFailsAfterMs ?? (runsFailure(livenessProbe) ? 0 : undefined);
  if (failsAfterMs === undefined || livenessProbe === undefined) return undefined;
  const nextMs = startedMs + Math.max(failsAfterMs, initialMs(livenessProbe));
  return { kind: 'liveness', nextMs, left: thresholdOf(livenessProbe) };
}

/** Lets a probe fail if it is due to. @returns how to kill the container, once it has failed often enough */
export function failProbe(probe: FailingProbe, { container, world }: Probed): Kill | undefined {
  const { kind, name, spec } = container;
  const of = probe.kind === 'startup' ? spec.startupProbe : spec.livenessProbe;
  const title = probe.kind === 'startup' ? 'Startup' : 'Liveness';
  world.warn(container, 'Unhealthy', `${title} probe failed: ${outputOf(of)}`);
  probe.left--;
  probe.nextMs += Number(of?.periodSeconds ?? 10) * 1000;
  if (probe.left > 0) return undefined;
  const seconds = of?.terminationGracePeriodSeconds;
  // A container that fails is restarted unless its pod never is.
  const again = kind !== 'sidecar' && isRestarted(container, world.pod, 1) ? ', will be restarted' : '';
  const what = kind === 'sidecar' ? 'Init container' : 'Container';
  return {
    graceMs: seconds === undefined ? undefined : Number(seconds) * 1000,
    message: `${what} ${name} failed ${probe.kind} probe${again}`,
  };
}

/** What the kubelet's probes say of a container that does not answer well. */
function outputOf({ httpGet, tcpSocket, grpc }: Probe = {}): string {
  if (httpGet !== undefined) return 'HTTP probe failed with statuscode: 500';
  if (tcpSocket !== undefined) return 'connect: connection refused';
  return grpc === undefined ? '' : 'service unhealthy (responded with "NOT_SERVING")';
}

function initialMs({ initialDelaySeconds = 0 }: Probe): number {
  return Number(initialDelaySeconds) * 1000;
}

function thresholdOf({ failureThreshold = 3 }: Probe): number {
  return Number(failureThreshold);
}
