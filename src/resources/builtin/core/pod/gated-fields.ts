// Fields of containers that are dropped while their feature gate is disabled, if that depends on their values or on
// other fields.

import type { Draft } from '../../../../api/object.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { Container } from './container-objects.ts';
import type { Pod, PodSpec, PodTemplateSpec } from './objects.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Of a pod. Modifies its argument. */
export function dropGatedOfPod({ spec }: Draft<Pod>, context: StrategyContext): void {
  if (spec !== undefined) dropGatedFields(spec, context);
}

/** Of a kind with a pod template. Modifies its argument. */
export function dropGatedOfTemplate(
  { spec }: { readonly spec?: { readonly template?: Draft<PodTemplateSpec> } },
  context: StrategyContext,
): void {
  dropGatedOf(spec?.template, context);
}

/** Of a pod template. Modifies its argument. */
export function dropGatedOf(template: Draft<PodTemplateSpec> | undefined, context: StrategyContext): void {
  if (template?.spec !== undefined) dropGatedFields(template.spec, context);
}

/** The first minor release of Kubernetes 1 with restart rules; before it, restart policies are errors where they do not belong. */
const RESTART_RULES = 34;

function dropGatedFields(spec: Draft<PodSpec>, context: StrategyContext): void {
  const { gateEnabled } = context;
  if (isSince(context, RESTART_RULES) && !gateEnabled('ContainerRestartRules')) dropRestartPolicies(spec);
  if (!gateEnabled('ImageVolume')) dropImageVolumes(spec);
  if (!gateEnabled('ProcMountType')) resetProcMounts(spec);
  if (!gateEnabled('ContainerStopSignals')) {
    for (const list of CONTAINERS) {
      for (const container of spec[list] ?? []) dropStopSignal(container);
    }
  }
}

/** Container restart policies are only kept with restart rules, and for sidecars. */
function dropRestartPolicies(spec: Draft<PodSpec>): void {
  for (const container of spec.containers ?? []) dropRestartPolicy(container);
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy !== 'Always') dropRestartPolicy(container);
  }
  for (const container of spec.ephemeralContainers ?? []) delete container.restartPolicy;
}

function dropRestartPolicy(container: Draft<Container>): void {
  if (container.restartPolicy !== undefined) delete container.restartPolicy;
}

function dropImageVolumes(spec: Draft<PodSpec>): void {
  const volumes = spec.volumes ?? [];
  const dropped = new Set(volumes.filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (dropped.size === 0) return;
  keep(
    spec,
    'volumes',
    volumes.filter(({ image }) => image === undefined),
  );
  for (const list of CONTAINERS) {
    const containers: Draft<Pick<Container, 'volumeMounts'>>[] = spec[list] ?? [];
    for (const container of containers) {
      keep(
        container,
        'volumeMounts',
        container.volumeMounts?.filter(({ name }) => !dropped.has(name)),
      );
    }
  }
}

/** Filters the objects of a list, which is removed if none is left. */
function keep<M extends string, T>(parent: { [Name in M]?: T[] }, name: M, kept: T[] | undefined): void {
  if (kept === undefined || kept.length === 0) delete parent[name];
  else parent[name] = kept;
}

/** The field itself remains: old servers always set it. */
function resetProcMounts(spec: Draft<PodSpec>): void {
  for (const list of CONTAINERS) {
    for (const container of spec[list] ?? []) {
      const context = container.securityContext;
      if (context?.procMount !== undefined) context.procMount = 'Default';
    }
  }
}

/** A lifecycle with only a stop signal is removed with it. */
function dropStopSignal(container: Draft<Container>): void {
  const lifecycle = container.lifecycle;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (Object.keys(lifecycle).length === 0) delete container.lifecycle;
}
