// Replacement of nodes in a tree, used by the checker to record the resolution of names.

import type { Expression, NodeId } from '../syntax/expression.ts';

/**
 * Returns the tree with each node of `replaced` in place of the node with its ID. Operands of a replacement are
 * processed too; an unaffected tree is returned unchanged.
 */
export function replaceNodes(expression: Expression, replaced: ReadonlyMap<NodeId, Expression>): Expression {
  if (replaced.size === 0) return expression;
  const node = replaced.get(expression.id) ?? expression;
  const replace = (operand: Expression): Expression => replaceNodes(operand, replaced);
  switch (node.kind) {
    case 'constant':
    case 'identifier':
      return node;
    case 'select':
      return { ...node, operand: replace(node.operand) };
    case 'call':
      return { ...node, target: node.target && replace(node.target), arguments: node.arguments.map(replace) };
    case 'list':
      return { ...node, elements: node.elements.map(replace) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((entry) => ({ ...entry, key: replace(entry.key), value: replace(entry.value) })),
      };
    case 'struct':
      return { ...node, fields: node.fields.map((field) => ({ ...field, value: replace(field.value) })) };
    case 'comprehension':
      return {
        ...node,
        range: replace(node.range),
        initial: replace(node.initial),
        condition: replace(node.condition),
        step: replace(node.step),
        result: replace(node.result),
      };
  }
}
