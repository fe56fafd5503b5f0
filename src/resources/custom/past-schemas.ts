// Schemas of a CustomResourceDefinition before an update: existing rules may use functions that new rules may not, and
// their cost is not limited.

import { equalJson } from '../../api/json-equal.ts';
import type { JsonObject } from '../../api/object.ts';
import { type Environments, type ExpressionScope, environmentsAfter } from '../../expressions/environments.ts';
import { schemaOf, versionsOf } from './definition-versions.ts';

export class PastSchemas {
  /** The functions that an expression may use: all of them if it already existed. */
  readonly environments: Environments;
  /** The minor release of Kubernetes 1 that is served; the one served by default if undefined. */
  readonly minor: number | undefined;
  readonly #schemas: ReadonlyMap<string, JsonObject | undefined>;

  /** @param previous the stored object of an update; undefined for a create */
  constructor(previous: JsonObject | undefined, scope: ExpressionScope) {
    const versions = previous === undefined ? [] : versionsOf(previous);
    this.#schemas = new Map(versions.map((version) => [version.name, schemaOf(version)]));
    this.minor = scope.minor;
    this.environments = environmentsAfter(previous, /^(?:rule|messageExpression)$/, scope);
  }

  /** Whether a version had this schema. */
  has(version: string, schema: JsonObject): boolean {
    const past = this.#schemas.get(version);
    return past !== undefined && equalJson(past, schema);
  }
}
