// Compiled admission webhook of a configuration: the requests it matches, its address and the parameters of its calls.

import type { Json, JsonObject } from '../../api/object.ts';
import type { Environments } from '../../expressions/environments.ts';
import { webhookAddress } from '../../outbound/webhook-address.ts';
import type { WebhookAddress } from '../../outbound/webhook-call.ts';
import { at, listAt, numberAt, textAt } from '../../resources/value.ts';
import { compileConditions, type Expression } from '../policies/policy.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

export class Webhook {
  readonly name: string;
  /** The name of its configuration. */
  readonly configuration: string;
  /** The webhook in its configuration. */
  readonly declared: JsonObject;
  readonly address: WebhookAddress;
  readonly rules: readonly Json[];
  readonly #environments: Environments | undefined;
  #conditions: readonly Expression[] | undefined;

  constructor(declared: JsonObject, configuration = '', environments?: Environments) {
    this.#environments = environments;
    this.configuration = configuration;
    this.name = textAt(declared, 'name');
    this.declared = declared;
    this.address = webhookAddress((at(declared, 'clientConfig') ?? {}) as JsonObject);
    this.rules = listAt(declared, 'rules');
  }

  /** Whether only requests for the exact versions in its rules match. */
  get isExact(): boolean {
    return textAt(this.declared, 'matchPolicy') === 'Exact';
  }

  /** Whether a failed call rejects the request. */
  get failsClosed(): boolean {
    return textAt(this.declared, 'failurePolicy') !== 'Ignore';
  }

  /** Whether it is reinvoked after others have changed the object. */
  get isReinvocable(): boolean {
    return textAt(this.declared, 'reinvocationPolicy') === 'IfNeeded';
  }

  get allowsDryRun(): boolean {
    return NO_SIDE_EFFECTS.includes(textAt(this.declared, 'sideEffects'));
  }

  get timeoutMs(): number {
    return (numberAt(this.declared, 'timeoutSeconds') || DEFAULT_TIMEOUT_SECONDS) * 1000;
  }

  /** The preferred supported version of AdmissionReview; undefined if there is none. */
  get reviewVersion(): 'v1' | 'v1beta1' | undefined {
    return listAt(this.declared, 'admissionReviewVersions').find((each) => each === 'v1' || each === 'v1beta1') as
      | 'v1'
      | 'v1beta1'
      | undefined;
  }

  /** Compiled on first use. */
  get conditions(): readonly Expression[] {
    this.#conditions ??= compileConditions(listAt(this.declared, 'matchConditions'), false, this.#environments);
    return this.#conditions;
  }
}
