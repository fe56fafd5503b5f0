// Anchors of a YAML text, and a limit on what aliases expand to: aliases of aliases can turn a kilobyte of text into
// gigabytes. Kubernetes' own limit.

import type { Json } from './object.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlOrigin } from './yaml-members.ts';

/** Up to this number, aliases are unlimited. */
const FREE_ALIASED_NODES = 100;
const FREE_NODES = 1_000;

interface Anchored {
  readonly value: Json;
  readonly origin: YamlOrigin;
  readonly nodes: number;
}

export class AliasBudget {
  readonly #anchors = new Map<string, Anchored | 'open'>();
  /** Nodes read and copied so far. */
  nodes = 0;
  #aliasedNodes = 0;

  /** Counts a node. */
  count(): void {
    this.nodes++;
  }

  /** Begins a collection with this anchor. */
  open(anchor: string): void {
    this.#anchors.set(anchor, 'open');
  }

  /** Sets what an anchor names, with its number of nodes. */
  define(anchor: string, anchored: Anchored): void {
    this.#anchors.set(anchor, anchored);
  }

  /** What an alias stands for, whose value is to be copied. @throws YamlError for an unknown anchor, and above the limit */
  use(anchor: string): Anchored {
    const found = this.#anchors.get(anchor);
    if (found === undefined) throw new YamlError(`yaml: unknown anchor '${anchor}' referenced`);
    if (found === 'open') throw new YamlError(`yaml: anchor '${anchor}' value contains itself`);
    this.nodes += found.nodes + 1;
    this.#aliasedNodes += found.nodes;
    const isFree = this.#aliasedNodes <= FREE_ALIASED_NODES || this.nodes <= FREE_NODES;
    if (!isFree && this.#aliasedNodes / this.nodes > allowedAliasShare(this.nodes)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
    return found;
  }
}

/** The maximum fraction of a document's nodes from aliases: nearly all in small ones, a tenth in huge ones. */
function allowedAliasShare(nodes: number): number {
  const small = 400_000;
  const huge = 4_000_000;
  if (nodes <= small) return 0.99;
  if (nodes >= huge) return 0.1;
  return 0.99 - (0.89 * (nodes - small)) / (huge - small);
}
