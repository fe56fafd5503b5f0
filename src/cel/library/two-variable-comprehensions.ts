// Comprehensions with two variables: index and item, key and value. The trees are those of cel-go, because costs depend
// on their form.

import type { Expression } from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { mapOf, parameter } from '../types/type.ts';
import { GrowingMap } from '../value/growing-map.ts';
import type { MapValue, Value } from '../value/value.ts';
import { ExpressionBuilder, refuseAccumulator, variableName } from './expression-builder.ts';
import { type Library, type Macro, type MacroCall, overload } from './library.ts';
import { ALL, collect, EXISTS, EXISTS_ONE, type FoldParts } from './standard-macros.ts';

const MAP_INSERT = 'cel.@mapInsert';
const KEY = parameter('K');
const VALUE = parameter('V');
const MAP = mapOf(KEY, VALUE);

/** Makes the parts of a fold from the item and the filter that the macro was written with. */
type Transform = (
  build: ExpressionBuilder,
  operands: { readonly item: Expression; readonly filter: Expression | undefined; readonly key: string },
) => ReturnType<FoldParts>;

export const TWO_VARIABLE_COMPREHENSIONS: Library = Object.freeze({
  name: 'two-variable comprehensions',
  macros: [
    quantifier('all', ALL),
    quantifier('exists', EXISTS),
    quantifier('existsOne', EXISTS_ONE),
    quantifier('exists_one', EXISTS_ONE),
    ...transform('transformList', (build, { item, filter }) => collect(build, item, filter)),
    ...transform('transformMap', (build, { item, filter, key }) =>
      insert(build, filter, () => [build.accumulator(), build.name(key), item]),
    ),
    ...transform('transformMapEntry', (build, { item, filter }) =>
      insert(build, filter, () => [build.accumulator(), item]),
    ),
  ],
  functions: [
    {
      name: MAP_INSERT,
      overloads: [
        overload('@mapInsert_map_key_value', [[MAP, KEY, VALUE], MAP], {
          evaluate: (map: MapValue, key: Value, value: Value) => GrowingMap.from(map).with(key, value),
        }),
        overload('@mapInsert_map_map', [[MAP, MAP], MAP], {
          evaluate: (map: MapValue, more: MapValue) => {
            let result = GrowingMap.from(map);
            for (const key of more.keys()) {
              result = result.with(key, more.get(key) as Value);
            }
            return result;
          },
        }),
      ],
    },
  ],
});

function quantifier(name: string, parts: FoldParts): Macro {
  const expand = (macro: MacroCall): Expression =>
    fold(macro, (build) => parts(build, macro.arguments[2] as Expression));
  return { name, method: true, arguments: 3, expand };
}

/** With three operands, and with a filter before the last of four. */
function transform(name: string, parts: Transform): readonly Macro[] {
  const expand = (macro: MacroCall): Expression => {
    const operands = macro.arguments;
    const item = operands[operands.length - 1] as Expression;
    const filter = operands.length === 4 ? operands[2] : undefined;
    return fold(macro, (build, key) => parts(build, { item, filter, key }));
  };
  return [3, 4].map((count) => ({ name, method: true, arguments: count, expand }));
}

/** Parts of a fold that collects the results of `entry` in a map. */
function insert(
  build: ExpressionBuilder,
  filter: Expression | undefined,
  entry: () => readonly Expression[],
): ReturnType<FoldParts> {
  const inserted = build.call(MAP_INSERT, ...entry());
  const step =
    filter === undefined ? inserted : build.call(OPERATORS.conditional, filter, inserted, build.accumulator());
  return { initial: build.map(), condition: build.bool(true), step, result: build.accumulator() };
}

function fold(
  macro: MacroCall,
  parts: (build: ExpressionBuilder, variable: string) => ReturnType<FoldParts>,
): Expression {
  const [first, second] = macro.arguments as [Expression, Expression];
  const variable = variableName(macro, first, 'argument must be a simple name');
  const variable2 = variableName(macro, second, 'argument must be a simple name');
  if (variable === variable2) {
    macro.fail(`duplicate variable name: ${variable}`, second);
  }
  refuseAccumulator(macro, variable, first);
  refuseAccumulator(macro, variable2, second);
  const build = new ExpressionBuilder(macro);
  const range = macro.target as Expression;
  return build.fold({ range, variable, variable2, accumulator: macro.accumulator, ...parts(build, variable) });
}
