// Fields of containers that are dropped without a word as long as their feature gate is off, where the field alone
// does not tell: it depends on its value or on what is left beside it.

import type { Draft } from '../../../../api/object.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { Container } from './container-objects.ts';
import type { Pod, PodSpec, PodTemplateSpec } from './objects.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Of a pod. Changes its argument. */
export function dropGatedOfPod({ spec }: Draft<Pod>, context: StrategyContext): void {
  if (spec !== undefined) dropGatedFields(spec, context);
}

/** Of a kind whose spec has a template of pods. Changes its argument. */
export function dropGatedOfTemplate(
  { spec }: { readonly spec?: { readonly template?: Draft<PodTemplateSpec> } },
  context: StrategyContext,
): void {
  dropGatedOf(spec?.template, context);
}

/** Of a template of pods. Changes its argument. */
export function dropGatedOf(template: Draft<PodTemplateSpec> | undefined, context: StrategyContext): void {
  if (template?.spec !== undefined) dropGatedFields(template.spec, context);
}

function dropGatedFields(spec: Draft<PodSpec>, { gateEnabled }: StrategyContext): void {
  if (!gateEnabled('ContainerRestartRules')) dropRestartPolicies(spec);
  if (!gateEnabled('ImageVolume')) dropImageVolumes(spec);
  if (!gateEnabled('ProcMountType')) resetProcMounts(spec);
  if (!gateEnabled('ContainerStopSignals')) {
    for (const list of CONTAINERS) {
      for (const container of spec[list] ?? []) dropStopSignal(container);
    }
  }
}

/** Without rules of its own a container restarts as its pod does, but for init containers that run on as sidecars. */
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

/** Keeps some objects of a list, which goes when none is left. */
function keep<M extends string, T>(parent: { [Name in M]?: T[] }, name: M, kept: T[] | undefined): void {
  if (kept === undefined || kept.length === 0) delete parent[name];
  else parent[name] = kept;
}

/** The field itself stays: servers of old always filled it in. */
function resetProcMounts(spec: Draft<PodSpec>): void {
  for (const list of CONTAINERS) {
    for (const container of spec[list] ?? []) {
      const context = container.securityContext;
      if (context?.procMount !== undefined) context.procMount = 'Default';
    }
  }
}

/** A lifecycle that says nothing else goes with its signal. */
function dropStopSignal(container: Draft<Container>): void {
  const lifecycle = container.lifecycle;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (Object.keys(lifecycle).length === 0) delete container.lifecycle;
}
