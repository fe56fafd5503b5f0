// Index of the webhooks of all configurations of one kind, in call order: those of manifests, then those of the API, kept
// in sync with stored objects by its owner.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Environments } from '../../expressions/environments.ts';
import { listAt } from '../../resources/value.ts';
import { exemptionFromWebhooks } from '../exempt.ts';
import { FromManifests, type Manifests, NO_MANIFESTS } from '../manifests.ts';
import type { ResourceName } from '../object-lookup.ts';
import { Webhook } from './webhook.ts';

interface WebhookIndexOptions {
  /** Of match conditions, which determine their costs. */
  readonly environments?: Environments;
  /** Whether the webhooks are not asked about reviews of tokens and access. */
  readonly exemptsReviews?: boolean;
  readonly manifests?: Manifests | undefined;
}

const NONE: readonly Webhook[] = [];

export class WebhookIndex {
  readonly #exemptsReviews: boolean;
  readonly #environments: Environments | undefined;
  readonly #manifests: FromManifests<Webhook>;
  readonly #configurations = new Map<string, readonly Webhook[]>();
  #all: readonly Webhook[] | undefined;
  /** The webhooks of manifests at the beginning of all. */
  #first: readonly Webhook[] = NONE;

  constructor({ environments, exemptsReviews = false, manifests = NO_MANIFESTS }: WebhookIndexOptions = {}) {
    this.#exemptsReviews = exemptsReviews;
    this.#environments = environments;
    this.#manifests = new FromManifests(manifests, (objects) => objects.flatMap((each) => this.#read(each)));
  }

  set(configuration: ApiObject): void {
    this.#configurations.set(configuration.metadata.name ?? '', this.#read(configuration));
    this.#all = undefined;
  }

  delete(name: string): void {
    this.#configurations.delete(name);
    this.#all = undefined;
  }

  /** By the names of their configurations, then in their order there; those of manifests come first. */
  get webhooks(): readonly Webhook[] {
    const first = this.#manifests.made;
    if (this.#all !== undefined && this.#first === first) return this.#all;
    const names = [...this.#configurations.keys()].sort();
    this.#first = first;
    this.#all = [...first, ...names.flatMap((name) => this.#configurations.get(name) ?? [])];
    return this.#all;
  }

  /** Those that may be asked about a resource. */
  webhooksFor(resource: ResourceName): readonly Webhook[] {
    const { webhooks } = this;
    if (webhooks.length === 0) return NONE;
    const exemption = exemptionFromWebhooks(resource, this.#exemptsReviews);
    if (exemption === undefined) return webhooks;
    return exemption === 'all' ? NONE : this.#first;
  }

  #read(configuration: ApiObject): Webhook[] {
    const declared = listAt(configuration, 'webhooks').filter(isObject);
    return declared.map((each) => new Webhook(each, configuration.metadata.name, this.#environments));
  }
}
