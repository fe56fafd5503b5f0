// Index of the webhooks of all configurations of one kind, in call order, kept in sync with stored objects by its
// owner.

import type { ApiObject } from '../../api/object.ts';
import type { Environments } from '../../expressions/environments.ts';
import { isObject, listAt } from '../../resources/value.ts';
import { Webhook } from './webhook.ts';

export class WebhookIndex {
  /** Whether the webhooks are not asked about reviews of tokens and access. */
  readonly exemptsReviews: boolean;
  readonly #environments: Environments | undefined;
  readonly #configurations = new Map<string, readonly Webhook[]>();
  #all: readonly Webhook[] = [];

  /** @param environments of match conditions, which determine their costs */
  constructor(environments?: Environments, exemptsReviews = false) {
    this.exemptsReviews = exemptsReviews;
    this.#environments = environments;
  }

  set(configuration: ApiObject): void {
    const declared = listAt(configuration, 'webhooks').filter(isObject);
    this.#configurations.set(
      configuration.metadata.name ?? '',
      declared.map((each) => new Webhook(each, configuration.metadata.name, this.#environments)),
    );
    this.#order();
  }

  delete(name: string): void {
    this.#configurations.delete(name);
    this.#order();
  }

  /** By the names of their configurations, then in their order there. */
  get webhooks(): readonly Webhook[] {
    return this.#all;
  }

  #order(): void {
    const names = [...this.#configurations.keys()].sort();
    this.#all = names.flatMap((name) => this.#configurations.get(name) ?? []);
  }
}
