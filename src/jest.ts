// Fixtures for Jest: one server for the tests of a file, and for each test the state that the setup left. It runs in
// the environment keelson/jest-environment.
//
//   const test = kubernetesTest();
//   test('a map is created', async ({ kubernetes }) => { … });

import type { Fixture, KubernetesOptions, TestKubernetes } from './testing/fixture.ts';
import { JEST_FIXTURES, type MakeFixture } from './testing/jest-fixtures.ts';

export type { KubernetesOptions, TestKubernetes } from './testing/fixture.ts';
export * from './testing/typed-requests.ts';

export type KubernetesTestBody = (fixtures: { readonly kubernetes: TestKubernetes }) => unknown;

/** @param timeoutMs 5 s by default */
type Declare = (name: string, body: KubernetesTestBody, timeoutMs?: number) => void;

/** Declares tests as the function `test` of Jest does. */
export interface KubernetesTest extends Declare {
  readonly only: Declare;
  readonly skip: Declare;
  readonly failing: Declare;
  todo(name: string): void;
}

type JestDeclare = (name: string, body: () => Promise<unknown>, timeoutMs?: number) => void;

interface JestTest extends JestDeclare {
  readonly only: JestDeclare;
  readonly skip: JestDeclare;
  readonly failing: JestDeclare;
  todo(name: string): void;
}

/**
 * Makes a function that declares tests.
 * @throws Error in another environment
 */
export function kubernetesTest(options: KubernetesOptions = {}): KubernetesTest {
  const { [JEST_FIXTURES]: make, test } = globalThis as unknown as {
    readonly [JEST_FIXTURES]?: MakeFixture;
    readonly test?: JestTest;
  };
  if (make === undefined) {
    throw new Error(
      'keelson/jest needs its environment: set testEnvironment to keelson/jest-environment, ' +
        'or begin the file with /** @jest-environment keelson/jest-environment */',
    );
  }
  if (test === undefined) throw new Error('keelson/jest needs the globals of Jest: set injectGlobals to true');
  const fixture: Fixture = make(options);
  const declare =
    (under: JestDeclare): Declare =>
    (name, body, timeoutMs) =>
      under(name, () => fixture.run((kubernetes) => body({ kubernetes })), timeoutMs);
  return Object.assign(declare(test), {
    only: declare(test.only),
    skip: declare(test.skip),
    failing: declare(test.failing),
    todo: (name: string) => test.todo(name),
  });
}
