// Fixtures for node:test: one server for the tests of a file, which have a process, and for each test the state that the
// setup left.
//
//   const test = kubernetesTest();
//   test('a map is created', async ({ kubernetes }) => { … });

import { after, type TestContext, type TestOptions, test } from 'node:test';
import { type KubernetesOptions, kubernetesFixture, type TestKubernetes } from './testing/fixture.ts';

export type { KubernetesOptions, TestKubernetes } from './testing/fixture.ts';
export * from './testing/typed-requests.ts';

/** A test; `context` is that of node:test. */
export type KubernetesTestBody = (fixtures: { readonly kubernetes: TestKubernetes }, context: TestContext) => unknown;

type Declare = (name: string, ...given: [KubernetesTestBody] | [TestOptions, KubernetesTestBody]) => Promise<void>;

type Under = (name: string, options: TestOptions, body: (context: TestContext) => Promise<void>) => Promise<void>;

/** Declares tests as the function `test` of node:test does. */
export interface KubernetesTest extends Declare {
  readonly only: Declare;
  readonly skip: Declare;
  readonly todo: Declare;
}

/** Makes a function that declares tests. Its tests run one after another. */
export function kubernetesTest(options: KubernetesOptions = {}): KubernetesTest {
  const fixture = kubernetesFixture(options);
  after(() => fixture.close());
  const declare =
    (under: Under): Declare =>
    (name, ...given) => {
      const [own, body] = given.length === 1 ? [{}, given[0]] : given;
      return under(name, own, async (context) => {
        await fixture.run((kubernetes) => body({ kubernetes }, context));
      });
    };
  return Object.assign(declare(test), {
    only: declare(test.only),
    skip: declare(test.skip),
    todo: declare(test.todo),
  });
}
