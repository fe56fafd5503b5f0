// Conversations about what is behind a gate that is off by default: each area against a server that serves it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gates } from '../differential/gates.ts';
import { Client } from './client.ts';
import { replayAll } from './run.ts';
import type { Area } from './scenario.ts';
import { startConformanceServer } from './server.ts';

const GROUP = 'admissionregistration.k8s.io';

/** Areas, and what is switched on for them. */
const AREAS = {
  mutatingpolicies: {
    featureGates: { MutatingAdmissionPolicy: true },
    runtimeConfig: { [`${GROUP}/v1beta1`]: 'true', [`${GROUP}/v1alpha1`]: 'true' },
  },
  previews: { featureGates: gates, runtimeConfig: { 'api/all': 'true' } },
};

/** All scenarios of an area are one test. */
const timeout = 120_000;

suite('conversations recorded from kube-apiserver with feature gates', { timeout }, () => {
  for (const [area, options] of Object.entries(AREAS)) {
    test(`the conversations recorded with the feature gates of ${area} are repeated`, { timeout }, async () => {
      const file = join(import.meta.dirname, 'gated', `${area}.json`);
      const { scenarios } = JSON.parse(readFileSync(file, 'utf8')) as Area;
      await using started = await startConformanceServer('memory', options);
      using client = new Client(started.target);
      const outcomes = await replayAll(client, scenarios, { concurrency: 8, patience: () => 2 });
      const failed = outcomes.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`));
      assert.deepEqual(failed, []);
      assert.equal(outcomes.length, scenarios.length);
    });
  }
});
