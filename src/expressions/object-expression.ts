// CEL expressions about an object without a schema, `self`, with the functions that KWOK adds.

import type { ApiObject, Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { Random } from '../base/random.ts';
import { type Library, method, overload } from '../cel/library/library.ts';
import { issuesText } from '../cel/syntax/issue-text.ts';
import { DOUBLE, DYN, TIMESTAMP } from '../cel/types/type.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { checkedTimestamp, parseTimestamp, Timestamp } from '../cel/value/timestamp.ts';
import { Double, MapValue, type Value } from '../cel/value/value.ts';
import { attempt } from './attempt.ts';
import { storedExpressions } from './environments.ts';
import { readUntyped } from './untyped-value.ts';
import { jsonOf } from './value-json.ts';

/** What an evaluation needs besides the object: its functions read the time and random numbers. */
interface Moment {
  readonly nowMs: number;
  readonly random: Random;
  /** Pays for the evaluation. */
  readonly budget: { spend(steps: number): void };
}

/** The result for an object as JSON. @throws Error if the expression fails, or takes too many steps */
type ObjectExpression = (object: ApiObject, moment: Moment) => Json;

/** @throws Error for an expression that is invalid */
export function compileObjectExpression(text: string): ObjectExpression {
  let moment: Moment | undefined;
  const environment = storedExpressions()
    .for(text)
    .extend({ libraries: [functionsAt(() => moment!)], variables: [{ name: 'self', type: DYN }] });
  const { checked, source, issues } = environment.compile(text);
  if (checked === undefined) throw new Error(`CEL: ${issuesText(source, issues)}`);
  const program = environment.program(checked, { costLimit: limits.stageSteps });
  return (object, at) => {
    moment = at;
    const outcome = attempt(program, { self: readUntyped(object) });
    at.budget.spend(outcome.cost);
    if (outcome.fault !== undefined) throw new Error(`CEL: ${outcome.fault.message}`);
    return jsonOf(outcome.value);
  };
}

const RANDOM_STEPS = 2 ** 32;

function functionsAt(moment: () => Moment): Library {
  const sinceSeconds = (of: Value): Double => new Double(moment().nowMs / 1000 - secondsOf(timeOf(createdAt(of))));
  const unixSeconds = (of: Value): Double => new Double(secondsOf(timeOf(of)));
  return {
    name: 'keelson.stages',
    functions: [
      {
        name: 'Now',
        overloads: [
          overload('kwok_now', [[], TIMESTAMP], {
            evaluate: () => {
              const { nowMs } = moment();
              return checkedTimestamp(Math.floor(nowMs / 1000), Math.round((nowMs % 1000) * 1e6));
            },
          }),
        ],
      },
      {
        name: 'Rand',
        overloads: [
          overload('kwok_rand', [[], DOUBLE], {
            evaluate: () => new Double(moment().random.below(RANDOM_STEPS) / RANDOM_STEPS),
          }),
        ],
      },
      {
        name: 'SinceSecond',
        overloads: [
          overload('kwok_since_second', [[DYN], DOUBLE], { evaluate: sinceSeconds }),
          method('kwok_object_since_second', [[DYN], DOUBLE], { evaluate: sinceSeconds }),
        ],
      },
      {
        name: 'UnixSecond',
        overloads: [
          overload('kwok_unix_second', [[DYN], DOUBLE], { evaluate: unixSeconds }),
          method('kwok_time_unix_second', [[DYN], DOUBLE], { evaluate: unixSeconds }),
        ],
      },
    ],
  };
}

/** The time of creation in an object. */
function createdAt(object: Value): Value | undefined {
  const metadata = object instanceof MapValue ? object.get('metadata') : undefined;
  return metadata instanceof MapValue ? metadata.get('creationTimestamp') : undefined;
}

/** A time, which an object holds as a text. @throws EvaluationError */
function timeOf(value: Value | undefined): Timestamp {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Timestamp) return time;
  throw new EvaluationError('no such overload');
}

function secondsOf({ seconds, nanos }: Timestamp): number {
  return seconds + nanos / 1e9;
}
