// IDs of syntax tree nodes, assigned as in cel-go, with their positions in the text.

import type { NodeId } from './expression.ts';

/** The position of an expression that could not be parsed at all: before the first column. */
export const NOWHERE = -1;

/** Ends the reading: a limit is reached. */
export class ReadingStopped {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export class NodeIds {
  readonly positions = new Map<NodeId, number>();
  readonly #max: number;
  #last = 0;

  /** @param max how many nodes a tree may have */
  constructor(max: number) {
    this.#max = max;
  }

  /** The id of a new node. @throws ReadingStopped when there are too many */
  add(offset: number): NodeId {
    if (this.#last === this.#max) {
      throw new ReadingStopped(`expression node limit exceeded: ${this.#max}`);
    }
    const id = ++this.#last;
    this.positions.set(id, offset);
    return id;
  }

  placeOf(id: NodeId): number {
    return this.positions.get(id) ?? NOWHERE;
  }

  /** Removes a node; the latest id is reused. */
  forget(id: NodeId): void {
    this.positions.delete(id);
    if (id === this.#last) {
      this.#last--;
    }
  }
}
