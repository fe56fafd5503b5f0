// The environment of Jest in which servers run: outside of the sandbox of a test file, so that their modules are loaded
// once per worker. Tests reach them with keelson/jest.

import { createRequire } from 'node:module';
import { type Fixture, type KubernetesOptions, kubernetesFixture } from './testing/fixture.ts';
import { JEST_FIXTURES, type MakeFixture } from './testing/jest-fixtures.ts';
import type { Realm } from './testing/kubernetes.ts';

/** What is used of Jest's environment for Node. */
interface NodeEnvironment {
  readonly global: object;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}

interface Environments {
  readonly TestEnvironment: new (...given: unknown[]) => NodeEnvironment;
}

// A package of Jest, which is there if this module is used.
const { TestEnvironment } = createRequire(import.meta.url)('jest-environment-node') as Environments;

export default class KeelsonEnvironment extends TestEnvironment {
  readonly #fixtures: Fixture[] = [];

  override async setup(): Promise<void> {
    await super.setup();
    const make: MakeFixture = (options: KubernetesOptions) => {
      const fixture = kubernetesFixture(options, this.global as unknown as Realm);
      this.#fixtures.push(fixture);
      return fixture;
    };
    Object.assign(this.global, { [JEST_FIXTURES]: make });
  }

  override async teardown(): Promise<void> {
    await Promise.all(this.#fixtures.map((fixture) => fixture.close()));
    await super.teardown();
  }
}
