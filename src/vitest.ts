// Fixtures for Vitest: one server per worker, and for each test the state that the setup left.
//
//   import { test as base } from 'vitest';
//   const test = base.extend(kubernetesFixtures());
//   test('a map is created', async ({ kubernetes }) => { … });

import { type Fixture, type KubernetesOptions, kubernetesFixture, type TestKubernetes } from './testing/fixture.ts';

export type { KubernetesOptions, TestKubernetes } from './testing/fixture.ts';
export * from './testing/typed-requests.ts';

/** Gives a fixture to the tests; returns when they are done. */
type Use<Value> = (value: Value) => Promise<void>;

/** For `test.extend()` of Vitest 3 or newer. */
export interface KubernetesFixtures {
  /** The server of the worker, which `kubernetes` needs. */
  keelson: [(context: object, use: Use<Fixture>) => Promise<void>, { scope: 'worker' }];
  kubernetes: (context: object, use: Use<TestKubernetes>) => Promise<void>;
}

/** The fixture `kubernetes`, which tests name to have the server. */
export function kubernetesFixtures(options: KubernetesOptions = {}): KubernetesFixtures {
  return {
    keelson: [
      // Vitest reads the names of the fixtures that one needs out of the function's text.
      // biome-ignore lint/correctness/noEmptyPattern: it needs none
      async ({}, use) => {
        const fixture = kubernetesFixture(options);
        await use(fixture);
        await fixture.close();
      },
      { scope: 'worker' },
    ],
    kubernetes: runWith as KubernetesFixtures['kubernetes'],
  };
}

function runWith({ keelson }: { readonly keelson: Fixture }, use: Use<TestKubernetes>): Promise<void> {
  return keelson.run(use);
}
