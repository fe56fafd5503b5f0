// The name under which tests in Jest's sandbox find what its environment offers.

import type { Fixture, KubernetesOptions } from './fixture.ts';

export const JEST_FIXTURES = Symbol.for('keelson/jest');

export type MakeFixture = (options: KubernetesOptions) => Fixture;
