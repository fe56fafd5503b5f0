// Questions of expressions to the server's authorizers. An evaluation cannot wait, but an authorizer may have to ask
// somebody else: then the evaluation ends, and is done again once the answer is there.

import type { AuthorizationAttributes, Authorizer } from '../../auth/authz/authorizer.ts';
import { requirementsOfFields, requirementsOfLabels } from '../../auth/authz/selector-requirements.ts';
import { isLater } from '../../base/soon.ts';
import type { AuthorizationAnswer, AuthorizationQuestion, AuthorizerBackend } from '../../expressions/authorizer.ts';

/** Thrown through an evaluation, which does not absorb it. */
class Unanswered extends Error {
  override name = 'Unanswered';
  readonly answer: Promise<void>;

  constructor(answer: Promise<void>) {
    super('an authorizer has not answered yet');
    this.answer = answer;
  }
}

/** Asks the authorizers, and remembers what had to be waited for: made anew for every request. */
export class AwaitedAnswers implements AuthorizerBackend {
  readonly #authorizer: Authorizer;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  authorize(question: AuthorizationQuestion): AuthorizationAnswer {
    const key = this.#answers.size === 0 ? '' : JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const decision = this.#authorizer.authorize(attributesOf(question));
    if (!isLater(decision)) return decision;
    throw new Unanswered(decision.then((made) => void this.#answers.set(JSON.stringify(question), made)));
  }
}

/** Evaluates, once more after each answer that has to be waited for. The evaluation must not have done anything yet. */
export async function evaluated<T>(evaluate: () => T): Promise<T> {
  for (;;) {
    try {
      return evaluate();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await error.answer;
    }
  }
}

const NO_RESOURCE = { group: '', resource: '', subresource: '', namespace: '', name: '' };

function attributesOf(question: AuthorizationQuestion): AuthorizationAttributes {
  const { subject: user, verb } = question;
  if (question.kind === 'path') {
    return { user, verb, isResourceRequest: false, path: question.path, version: '*', ...NO_RESOURCE };
  }
  const { group, resource, subresource, namespace, name, fieldSelector, labelSelector } = question;
  return {
    ...{ user, verb, isResourceRequest: true, path: '', group, version: '*', resource, subresource, namespace, name },
    ...(fieldSelector === undefined
      ? {}
      : {
          fieldSelector: () => requirementsOfFields(fieldSelector),
          pinnedField: (field: string) => fieldSelector.requirements.find((each) => pins(each, field))?.value,
        }),
    ...(labelSelector === undefined ? {} : { labelSelector: () => requirementsOfLabels(labelSelector) }),
  };
}

function pins(requirement: { readonly field: string; readonly negated: boolean }, field: string): boolean {
  return requirement.field === field && !requirement.negated;
}
