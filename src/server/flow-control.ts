// Wiring of priority and fairness: keeps the controller in sync with the stored FlowSchemas and
// PriorityLevelConfigurations, so that a write takes effect before it is acknowledged.

import { createHash } from 'node:crypto';
import type { ApiObject } from '../api/object.ts';
import type { Clock } from '../base/clock.ts';
import type { FlowSchemaSpec, PriorityLevelSpec } from '../flowcontrol/configuration.ts';
import { FlowController } from '../flowcontrol/flow-controller.ts';
import type { SeatShare } from '../flowcontrol/seat-share.ts';
import type { RequestServices } from '../http/request-services.ts';
import type { FlowMetrics } from '../lifecycle/flow-metrics.ts';
import { TimingRatio } from '../lifecycle/timing-histogram.ts';
import { flowSchemas, priorityLevels } from '../resources/bootstrap/flow-control.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const MANDATORY = ['exempt', 'catch-all'];

interface FlowControlSources {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly share: SeatShare;
  readonly metrics: FlowMetrics;
}

/** Resolves when the stored objects are in effect. */
export async function startFlowControl(sources: FlowControlSources): Promise<NonNullable<RequestServices['flow']>> {
  const { clock, catalog, registry, share, metrics } = sources;
  const utilization = { reading: kindUtilization(metrics, 'readOnly'), writing: kindUtilization(metrics, 'mutating') };
  const controller = new FlowController({
    ...{ clock, metrics, hash, share },
    mandatory: {
      schemas: flowSchemas()
        .filter(isMandatory)
        .map(imagined<FlowSchemaSpec>),
      levels: priorityLevels()
        .filter(isMandatory)
        .map(imagined<PriorityLevelSpec>),
    },
    onCapacity: ({ waiting, executing }) => {
      for (const kind of Object.values(utilization)) {
        kind.waiting.setDenominator(Math.max(1, waiting));
        kind.executing.setDenominator(Math.max(1, executing));
      }
    },
  });
  await follow(controller, catalog, registry);
  controller.run();
  const statsOf = (group: string, version: string, resource: string) => {
    const definition = catalog.lookup(group, version, resource)?.definition;
    return definition && registry.totals(definition);
  };
  return { controller, statsOf, utilization };
}

function kindUtilization(metrics: FlowMetrics, request_kind: string) {
  const ratio = (phase: string) => new TimingRatio(metrics.readsAndWrites.with({ phase, request_kind }));
  return { waiting: ratio('waiting'), executing: ratio('executing') };
}

async function follow(controller: FlowController, catalog: Catalog, registry: Registry): Promise<void> {
  const schemas = new Map<string, Configured<FlowSchemaSpec>>();
  const levels = new Map<string, Configured<PriorityLevelSpec>>();
  let filled = false;
  const configure = () => {
    if (filled) controller.configure({ schemas: [...schemas.values()], levels: [...levels.values()] });
  };
  const kept = <Spec>(resource: string, objects: Map<string, Configured<Spec>>) =>
    followObjects(catalog, registry, {
      group: GROUP,
      resource,
      set: (object) => {
        const next = configured<Spec>(object);
        const known = objects.get(next.name);
        objects.set(next.name, next);
        // Changes of the status have no effect here.
        if (known?.uid !== next.uid || known.generation !== next.generation) configure();
      },
      delete: (_, name) => {
        objects.delete(name);
        configure();
      },
    });
  await Promise.all([kept('flowschemas', schemas), kept('prioritylevelconfigurations', levels)]);
  filled = true;
  configure();
}

interface Configured<Spec> {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly spec: Spec;
}

/** Stored objects have been validated and defaulted. */
function configured<Spec>({ metadata, spec }: ApiObject): Configured<Spec> {
  const { name = '', uid = '', generation = 0 } = metadata;
  return { name, uid, generation: Number(generation), spec: spec as unknown as Spec };
}

function isMandatory({ name }: { name: string }): boolean {
  return MANDATORY.includes(name);
}

/** As if its object existed. */
function imagined<Spec>({ name, spec }: { name: string; spec: unknown }): Configured<Spec> {
  return { name, uid: '', generation: 0, spec: spec as Spec };
}

function hash(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64LE();
}
