// Start of a container on a simulated node: its image is pulled, it is created and started, or the kubelet says why not.

import { formatGoDuration } from '../../base/go-duration.ts';
import type { Probe } from '../../resources/builtin/core/pod/container-objects.ts';
import type { PodContainer } from './container-kinds.ts';
import { containerPlan, type Plan } from './container-plan.ts';
import { failingProbe, runsFailure } from './failing-probes.ts';
import { fullName, imageNameFault, pulledImage, withTag } from './image-names.ts';
import { type Attempt, nextBackOff } from './pod-run.ts';
import type { ContainerLook } from './pod-world.ts';

/** How often a container is tried again that cannot be made; it is also tried when what was missing appears. */
const RETRY_MS = 60_000;

/** Begins to pull the image, unless it is present. */
export function pull(look: ContainerLook): void {
  const { run, container, world } = look;
  const { nowMs, delays } = world;
  const { image = '', imagePullPolicy } = container.spec;
  const { pullBackOff } = run;
  if (pullBackOff !== undefined && nowMs < pullBackOff.sinceMs + pullBackOff.ms) {
    waitToPull(look, pullBackOff.sinceMs + pullBackOff.ms - nowMs);
    return;
  }
  const failed = run.attempt?.ended;
  if (failed !== undefined && pullBackOff === undefined) {
    run.crashBackOff = nextBackOff(run.crashBackOff, failed.atMs, nowMs);
  }
  const nameFault = imageNameFault(image);
  if (nameFault !== undefined) {
    const message = `Failed to apply default image tag "${image}": ${nameFault}`;
    world.warn(container, 'InspectFailed', message);
    fail(look, { reason: 'InvalidImageName', message }, RETRY_MS);
  } else if (imagePullPolicy !== 'Always' && world.images.has(image) && !failsToPull(look)) {
    world.tell(container, 'Pulled', `Container image "${image}" already present on machine`);
    create(look);
  } else if (imagePullPolicy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    world.warn(container, 'ErrImageNeverPull', message);
    fail(look, { reason: 'ErrImageNeverPull', message }, RETRY_MS);
  } else {
    world.tell(container, 'Pulling', `Pulling image "${withTag(image)}"`);
    run.work = { kind: 'pull', untilMs: nowMs + delays.pullMs(), sinceMs: nowMs };
  }
}

export function endPull(look: ContainerLook, sinceMs: number): void {
  const { container, world } = look;
  const { image = '' } = container.spec;
  if (failsToPull(look)) {
    failToPull(look);
    return;
  }
  world.images.add(image);
  const took = formatGoDuration(world.nowMs - sinceMs);
  const size = `Image size: ${pulledImage(image).sizeBytes} bytes.`;
  const message = `Successfully pulled image "${withTag(image)}" in ${took} (${took} including waiting). ${size}`;
  world.tell(container, 'Pulled', message);
  create(look);
}

export function start({ run, container, world }: ContainerLook): void {
  const { pod, nowMs, script } = world;
  const { name, spec } = container;
  world.tell(container, 'Created', `Created container: ${name}`);
  world.tell(container, 'Started', `Started container ${name}`);
  if (run.attempt !== undefined) {
    run.last = run.attempt;
    run.restarts++;
  }
  run.failure = undefined;
  const plan = containerPlan(pod, container, script.containers.get(name));
  const { runMs, ending } = takeOrder(name, world) ?? plan;
  const { name: image, id: imageId } = pulledImage(spec.image ?? '');
  run.attempt = {
    id: world.newId(),
    image,
    imageId,
    startedMs: nowMs,
    endsMs: runMs === undefined ? undefined : nowMs + runMs,
    ending,
    ...probeTimes({ run, container, world }),
    resources: spec.resources ?? {},
  };
}

/** What a test has ordered before the container ran. */
function takeOrder(name: string, { orders }: ContainerLook['world']): Plan | undefined {
  const ending = orders.get(name);
  orders.delete(name);
  return ending === undefined ? undefined : { runMs: 0, ending };
}

function failsToPull({ container, world }: ContainerLook): boolean {
  return world.script.containers.get(container.name)?.failsToPull ?? false;
}

/** An image that cannot be pulled is tried again after a delay that grows. */
function failToPull(look: ContainerLook): void {
  const { run, container, world } = look;
  const message = pullFault(container);
  world.warn(container, 'Failed', `Failed to pull image "${withTag(container.spec.image ?? '')}": ${message}`);
  run.pullBackOff = nextBackOff(run.pullBackOff, world.nowMs, world.nowMs);
  // The kubelet looks again a little later, and finds that it has to wait.
  fail(look, { reason: 'ErrImagePull', message }, world.delays.startMs());
}

function waitToPull(look: ContainerLook, waitMs: number): void {
  const { container, world } = look;
  const text = `Back-off pulling image "${withTag(container.spec.image ?? '')}"`;
  world.tell(container, 'BackOff', text);
  fail(look, { reason: 'ImagePullBackOff', message: `${text}: ErrImagePull: ${pullFault(container)}` }, waitMs);
}

/** What a container runtime says of an image that its registry does not have. */
function pullFault({ spec }: PodContainer): string {
  const name = fullName(spec.image ?? '');
  const cause = `failed to resolve reference "${name}": ${name}: not found`;
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": ${cause}`;
}

function fail(
  { run, container, world }: ContainerLook,
  failure: { readonly reason: string; readonly message: string },
  retryMs: number,
): void {
  const { reason, message } = failure;
  world.warn(container, 'Failed', `Error: ${reason === 'CreateContainerConfigError' ? message : reason}`);
  run.failure = failure;
  const { image } = container.spec;
  run.work = { kind: 'wait', untilMs: world.nowMs + retryMs, sinceMs: world.nowMs, image };
}

function create(look: ContainerLook): void {
  const { run, container, world } = look;
  const { nowMs, delays } = world;
  run.pullBackOff = undefined;
  const message = world.missingConfig(container);
  if (message !== undefined) fail(look, { reason: 'CreateContainerConfigError', message }, RETRY_MS);
  else run.work = { kind: 'start', untilMs: nowMs + delays.startMs(), sinceMs: nowMs };
}

/** When the probes of a container that starts now succeed, and which of them fails. */
function probeTimes({ container, world }: ContainerLook): Pick<Attempt, 'startedUpMs' | 'readyMs' | 'failing'> {
  const { nowMs, delays, script } = world;
  const { startupProbe, readinessProbe } = container.spec;
  const scripted = script.containers.get(container.name);
  const failing = failingProbe(container, scripted, nowMs);
  if (failing?.kind === 'startup') return { startedUpMs: undefined, readyMs: undefined, failing };
  const readyAfterMs = scripted?.readyAfterMs;
  const neverReady = scripted?.neverReady === true || (readyAfterMs === undefined && runsFailure(readinessProbe));
  const initialMs = (probe: Probe | undefined) => (delays.areReal ? (probe?.initialDelaySeconds ?? 0) * 1000 : 0);
  const startedUpMs = nowMs + initialMs(startupProbe);
  const readyMs = nowMs + (readyAfterMs ?? initialMs(readinessProbe));
  return { startedUpMs, readyMs: neverReady ? undefined : Math.max(startedUpMs, readyMs), failing };
}
