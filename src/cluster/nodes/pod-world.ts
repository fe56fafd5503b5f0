// Surroundings of a pod for one look at it: the pod as stored, its node, and the time.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { PodContainer } from './container-kinds.ts';
import type { Ending } from './container-plan.ts';
import type { Delays } from './delays.ts';
import type { ContainerRun } from './pod-run.ts';
import type { PodScript } from './pod-script.ts';

/** A volume that cannot be mounted. */
export interface MissingVolume {
  readonly volume: string;
  /** The text of the event. */
  readonly message: string;
  /** How long the kubelet waits for it until it says so. */
  readonly toldAfterMs: number;
}

export interface PodWorld {
  readonly pod: Pod;
  readonly script: PodScript;
  readonly nowMs: number;
  readonly delays: Delays;
  readonly images: { has(image: string): boolean; add(image: string): void };
  /** How containers are to end once they run, by name, each once. */
  readonly orders: Map<string, Ending>;
  /** A new ID of a container. */
  newId(): string;
  /** Why a container cannot be created: what it refers to is missing. */
  missingConfig(container: PodContainer): string | undefined;
  missingVolumes(): readonly MissingVolume[];
  /** Reports an event of the type Normal about a container, or about the pod. */
  tell(about: PodContainer | undefined, reason: string, message: string): void;
  /** Reports an event of the type Warning. */
  warn(about: PodContainer | undefined, reason: string, message: string): void;
}

/** A container, its state, and its surroundings. */
export interface ContainerLook {
  readonly run: ContainerRun;
  readonly container: PodContainer;
  readonly world: PodWorld;
}
