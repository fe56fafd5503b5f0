// The suite of recorded conversations that must keep passing: those listed in passing/, area by area, against one
// server in this process.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client } from './client.ts';
import { readPassing } from './passing.ts';
import type { Outcome } from './replay.ts';
import { replayAll } from './run.ts';
import { readArea, recordedAreas } from './scenario.ts';
import { startConformanceServer } from './server.ts';

/**
 * A slow machine may take this many times as long as the recording allows. It costs nothing for scenarios that pass.
 */
const patience = 2;

/** All areas form one long test. */
const timeout = 300_000;

export interface Conversations {
  /** The store, as for startConformanceServer. */
  readonly store: string;
  readonly skip?: string | false;
}

/** Declares the suite. */
export function conversations(title: string, { store, skip = false }: Conversations): void {
  const areas = recordedAreas().map((area) => {
    const { scenarios } = readArea(area);
    return { area, scenarios, listed: readPassing(area) };
  });
  suite(title, { timeout, skip }, () => {
    const outcomes = new Map<string, Outcome>();
    let end: () => Promise<void> = async () => {};

    before(
      async () => {
        const started = await startConformanceServer(store);
        end = async () => {
          await started[Symbol.asyncDispose]();
        };
        using client = new Client(started.target);
        const chosen = areas.flatMap(({ scenarios, listed }) => scenarios.filter(({ id }) => listed.has(id)));
        const options = { concurrency: 8, patience: () => patience };
        for (const outcome of await replayAll(client, chosen, options)) outcomes.set(outcome.id, outcome);
      },
      { timeout },
    );

    after(() => end());

    for (const { area, scenarios, listed } of areas) {
      test(`the ${listed.size} scenarios of ${area} get the recorded answers`, () => {
        const unknown = listed.difference(new Set(scenarios.map(({ id }) => id)));
        assert.deepEqual([...unknown], [], 'listed and not recorded');
        const failed = [...listed].filter((id) => outcomes.get(id)?.problems.length !== 0);
        const report = failed.map((id) =>
          [id, ...(outcomes.get(id)?.problems ?? ['was not run']).slice(0, 6)].join('\n  '),
        );
        assert.equal(failed.length, 0, `\n${report.join('\n')}`);
      });
    }
  });
}
