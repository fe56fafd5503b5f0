// Several authorizers as one: what one of them allows is allowed. Of a refusal it tells what each had to say.

import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

export class UnionAuthorizer implements Authorizer {
  readonly #members: readonly Authorizer[];

  /** @param members are asked in this order */
  constructor(members: readonly Authorizer[]) {
    this.#members = members;
  }

  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision> {
    return this.#ask(attributes, 0, '');
  }

  #ask(attributes: AuthorizationAttributes, from: number, said: string): Decision | Promise<Decision> {
    let reason = said;
    for (let index = from; index < this.#members.length; index++) {
      const decision = this.#members[index]!.authorize(attributes);
      if (decision instanceof Promise) {
        return decision.then((made) =>
          made.allowed ? made : this.#ask(attributes, index + 1, joined(reason, made.reason)),
        );
      }
      if (decision.allowed) return decision;
      reason = joined(reason, decision.reason);
    }
    return { allowed: false, reason };
  }
}

function joined(one: string, other: string): string {
  return one === '' || other === '' ? one + other : `${one}\n${other}`;
}
