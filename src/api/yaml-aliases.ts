// The anchors of a YAML text, and how much of its value may come by aliases: a few aliases of aliases make a text of a
// kilobyte a value of gigabytes. Kubernetes' own measure against it.

import type { Json } from './object.ts';
import { YamlError } from './yaml-error.ts';

/** Up to here aliases are free. */
const FREE_ALIASED_NODES = 100;
const FREE_NODES = 1_000;

interface Anchored {
  readonly value: Json;
  readonly nodes: number;
}

export class AliasBudget {
  readonly #anchors = new Map<string, Anchored | 'open'>();
  /** Nodes read and copied so far. */
  nodes = 0;
  #aliasedNodes = 0;

  /** One node more. */
  count(): void {
    this.nodes++;
  }

  /** A collection with this anchor begins. */
  open(anchor: string): void {
    this.#anchors.set(anchor, 'open');
  }

  /** What an anchor stands for from here on, and of how many nodes that is. */
  define(anchor: string, value: Json, nodes: number): void {
    this.#anchors.set(anchor, { value, nodes });
  }

  /** What an alias stands for, to be copied. @throws YamlError for no such anchor, and past what may come by aliases */
  use(anchor: string): Json {
    const found = this.#anchors.get(anchor);
    if (found === undefined) throw new YamlError(`yaml: unknown anchor '${anchor}' referenced`);
    if (found === 'open') throw new YamlError(`yaml: anchor '${anchor}' value contains itself`);
    this.nodes += found.nodes + 1;
    this.#aliasedNodes += found.nodes;
    const isFree = this.#aliasedNodes <= FREE_ALIASED_NODES || this.nodes <= FREE_NODES;
    if (!isFree && this.#aliasedNodes / this.nodes > allowedAliasShare(this.nodes)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
    return found.value;
  }
}

/** The share of a document's nodes that may come by aliases: nearly all in small ones, a tenth in huge ones. */
function allowedAliasShare(nodes: number): number {
  const small = 400_000;
  const huge = 4_000_000;
  if (nodes <= small) return 0.99;
  if (nodes >= huge) return 0.1;
  return 0.99 - (0.89 * (nodes - small)) / (huge - small);
}
