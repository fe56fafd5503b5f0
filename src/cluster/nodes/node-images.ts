// Images on a node: those that its pods have pulled.

import { limits } from '../../base/limits.ts';
import type { ContainerImage } from '../../resources/builtin/core/node/objects.ts';
import { fullName, pulledImage } from './image-names.ts';

/** Images in the status of a node. The kubelet's default. */
const REPORTED = 50;

export class NodeImages {
  /** Sizes by full name, in the order in which they came. */
  readonly #sizes = new Map<string, number>();

  /** @param reported in the status of a node that is taken over */
  constructor(reported: readonly ContainerImage[] = []) {
    for (const { names } of reported) {
      const tagged = names?.find((name) => !name.includes('@'));
      if (tagged !== undefined) this.add(tagged);
    }
  }

  has(image: string): boolean {
    return this.#sizes.has(fullName(image));
  }

  /** Returns whether it is a new one. */
  add(image: string): boolean {
    const name = fullName(image);
    if (this.#sizes.has(name)) return false;
    this.#sizes.set(name, pulledImage(name).sizeBytes);
    if (this.#sizes.size > limits.imagesOfNode) this.#sizes.delete(this.#sizes.keys().next().value as string);
    return true;
  }

  /** For the status of the node: the largest ones. */
  report(): ContainerImage[] {
    const largest = [...this.#sizes].sort(([, one], [, other]) => other - one).slice(0, REPORTED);
    return largest.map(([name, sizeBytes]) => {
      const { id } = pulledImage(name);
      return { names: name === id ? [id] : [id, name], sizeBytes };
    });
  }
}
