// Runs many scenarios against one server: most of them beside each other, those that touch what all share one by one.

import { reasonToRunAlone } from './alone.ts';
import type { Client } from './client.ts';
import { type Outcome, replay } from './replay.ts';
import type { Scenario } from './scenario.ts';

export interface RunOptions {
  /** How many scenarios run at once. */
  readonly concurrency: number;
  /** Times as long for polls and watches as the recording allows, by scenario. */
  readonly patience: (scenario: Scenario) => number;
  /** Called for each scenario when it is over. */
  readonly report?: (outcome: Outcome) => void;
}

/** Runs all the scenarios; their outcomes in the order in which they ended. */
export async function replayAll(
  client: Client,
  scenarios: readonly Scenario[],
  options: RunOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const run = async (waiting: Scenario[]) => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const outcome = await replay(client, scenario, { patience: options.patience(scenario) });
      outcomes.push(outcome);
      options.report?.(outcome);
    }
  };
  const shared = scenarios.filter((scenario) => reasonToRunAlone(scenario) === undefined);
  const alone = scenarios.filter((scenario) => reasonToRunAlone(scenario) !== undefined);
  // Those that wait go first, so that nobody waits for them alone in the end.
  shared.sort((one, other) => Number(waits(other)) - Number(waits(one)));
  await Promise.all(Array.from({ length: options.concurrency }, () => run(shared)));
  await run(alone);
  return outcomes;
}

function waits({ steps }: Scenario): boolean {
  return steps.some((step) => step.do === 'sleep' || step.do === 'collect' || step.do === 'poll');
}
