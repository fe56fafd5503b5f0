// What the annotations of a pod say about the behavior of its containers.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { AnnotationReader } from './annotations.ts';
import { containersOf } from './container-kinds.ts';
import { USAGES } from './usage.ts';

export interface ContainerScript {
  readonly runForMs: number | undefined;
  readonly exitCode: number | undefined;
  readonly crashAfterMs: number | undefined;
  readonly oomKilledAfterMs: number | undefined;
  readonly failsToPull: boolean;
  readonly neverReady: boolean;
  readonly readyAfterMs: number | undefined;
  readonly livenessFailsAfterMs: number | undefined;
  readonly startupFails: boolean;
  readonly stopAfterMs: number | undefined;
}

export interface PodScript {
  readonly containers: ReadonlyMap<string, ContainerScript>;
  /** What was wrong with the annotations. */
  readonly faults: readonly string[];
}

/**
 * The annotations of a pod, each for one container (`keelson.dev/exit-code.web`) or for all regular ones
 * (`keelson.dev/exit-code`). Those of its node hold for all of its pods that do not say otherwise.
 *
 * - `run-for: 30s`: it ends after that, with exit code 0
 * - `exit-code: "3"`: when it ends, it does so with this code; without another annotation as soon as its command ends
 * - `crash-after: 10s`: it ends after that, with exit code 1
 * - `oom-killed-after: 10s`: it is killed after that, because it uses too much memory
 * - `fail-to-pull: "true"`: its image cannot be pulled
 * - `never-ready: "true"`, `ready-after: 10s`: its readiness probe fails, always or so long after its start
 * - `liveness-fails-after: 30s`: its liveness probe fails from so long after its start on, until it is killed
 * - `startup-fails: "true"`: its startup probe fails, until it is killed
 * - `stop-after: 10s`: so long it takes to stop once it is asked to
 * - `cpu-usage: 200m`, `memory-usage: 64Mi`: what it uses
 * - `answer: hello`: what its ports answer to requests over HTTP
 */
export function podScript({ metadata, ...pod }: Pod, nodeAnnotations?: Readonly<Record<string, string>>): PodScript {
  const own = new AnnotationReader(metadata.annotations);
  const node = new AnnotationReader(nodeAnnotations);
  const containers = new Map<string, ContainerScript>();
  for (const { name, kind } of containersOf({ metadata, ...pod })) {
    const read = <Value>(of: (reader: AnnotationReader, key: string) => Value | undefined, key: string) =>
      of(own, `${key}.${name}`) ?? (kind === 'main' ? (of(own, key) ?? of(node, key)) : undefined);
    const duration = (key: string) => read((reader, full) => reader.duration(full), key);
    const flag = (key: string) => read((reader, full) => reader.flag(full), key) ?? false;
    // Used by whoever measures the pod; here they are only checked.
    for (const { key, resource } of USAGES) read((reader, full) => reader.amount(full, resource), key);
    containers.set(name, {
      runForMs: duration('run-for'),
      exitCode: read((reader, full) => reader.exitCode(full), 'exit-code'),
      crashAfterMs: duration('crash-after'),
      oomKilledAfterMs: duration('oom-killed-after'),
      failsToPull: flag('fail-to-pull'),
      neverReady: flag('never-ready'),
      readyAfterMs: duration('ready-after'),
      livenessFailsAfterMs: duration('liveness-fails-after'),
      startupFails: flag('startup-fails'),
      stopAfterMs: duration('stop-after'),
    });
  }
  return { containers, faults: [...new Set(own.faults)] };
}
