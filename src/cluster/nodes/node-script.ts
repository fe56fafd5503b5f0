// What the annotations of a simulated node say about its behavior.

import { ownMember } from '../../api/own-member.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { isSetTrue } from '../conditions.ts';
import { AnnotationReader, SIMULATED } from './annotations.ts';

/** The annotation that marks the nodes that KWOK simulates. */
const KWOK_NODE = 'kwok.x-k8s.io/node';

/** What a node may be short of. */
export const PRESSURES = ['memory', 'disk', 'pid'] as const;
export type Pressure = (typeof PRESSURES)[number];

export interface NodeScript {
  /** The node is cut off: it neither renews its lease nor reports anything. */
  readonly lost: boolean;
  readonly pressures: readonly Pressure[];
  /** How long after its creation it becomes ready. */
  readonly slowStartMs: number;
  /** What was wrong with the annotations. */
  readonly faults: readonly string[];
}

/**
 * - `keelson.dev/lost: "true"`: the node is cut off
 * - `keelson.dev/pressure: memory,disk,pid`: it is short of that, and evicts pods
 * - `keelson.dev/slow-start: 30s`: it becomes ready so long after its creation
 */
export function nodeScript({ metadata }: Node): NodeScript {
  const reader = new AnnotationReader(metadata.annotations);
  return {
    lost: reader.flag('lost') ?? false,
    pressures: reader.words('pressure', PRESSURES),
    slowStartMs: reader.duration('slow-start') ?? 0,
    faults: reader.faults,
  };
}

/** Whether a node says that it has no machine, in the words of this project or of KWOK. */
export function isSimulated({ metadata: { annotations } }: Node): boolean {
  return ownMember(annotations, SIMULATED) === 'true' || ownMember(annotations, KWOK_NODE) === 'fake';
}

/** Whether a node has reported that it is short of something. */
export function hasPressure({ status }: Node, pressure: Pressure): boolean {
  return isSetTrue(status?.conditions, PRESSURE_CONDITIONS[pressure]);
}

export const PRESSURE_CONDITIONS: Readonly<Record<Pressure, string>> = {
  memory: 'MemoryPressure',
  disk: 'DiskPressure',
  pid: 'PIDPressure',
};
