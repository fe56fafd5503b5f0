// Runs many scenarios against one server: most concurrently, those that touch cluster-wide state one by one.

import { reasonToRunAlone } from './alone.ts';
import type { Client } from './client.ts';
import { type Outcome, replay } from './replay.ts';
import type { Scenario } from './scenario.ts';

export interface RunOptions {
  /** How many scenarios run at once. */
  readonly concurrency: number;
  /** Factor for the timeouts of polls and watches, by scenario. */
  readonly patience: (scenario: Scenario) => number;
  /** Called when a scenario has finished. */
  readonly report?: (outcome: Outcome) => void;
}

/** Runs all scenarios; returns their results in the order in which they finished. */
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
  // Scenarios that wait go first, so that they do not run alone at the end.
  shared.sort((one, other) => Number(waits(other)) - Number(waits(one)));
  await Promise.all(Array.from({ length: options.concurrency }, () => run(shared)));
  await run(alone);
  return outcomes;
}

function waits({ steps }: Scenario): boolean {
  return steps.some((step) => step.do === 'sleep' || step.do === 'collect' || step.do === 'poll');
}
