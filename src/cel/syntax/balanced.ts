// Balanced trees for chains of `&&` or `||`, so that long chains are not deep.

import type { Expression, NodeId } from './expression.ts';

/** The terms as a tree that is as flat as can be: the operator in the middle of those from..to is its root. */
export function balanced(
  name: string,
  chain: { readonly terms: readonly Expression[]; readonly ids: readonly NodeId[]; from: number; to: number },
): Expression {
  const { terms, ids, from, to } = chain;
  const middle = (from + to + 1) >> 1;
  const left = middle === from ? terms[middle] : balanced(name, { ...chain, to: middle - 1 });
  const right = middle === to ? terms[middle + 1] : balanced(name, { ...chain, from: middle + 1 });
  return {
    kind: 'call',
    id: ids[middle] as NodeId,
    function: name,
    target: undefined,
    arguments: [left as Expression, right as Expression],
  };
}
