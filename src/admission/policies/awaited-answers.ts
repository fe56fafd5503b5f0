// Authorizer calls by CEL expressions. An evaluation is synchronous, but an authorizer may call a webhook: then the
// evaluation is aborted, and repeated once the decision is available.

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

/** Calls the authorizers and caches decisions; created for every request. */
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

/** Evaluates, repeating it after each pending decision. The evaluation must have no effects. */
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
