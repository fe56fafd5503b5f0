// A chain of authorizers: the first that allows or denies decides, and other reasons are dropped. If none does, all
// reasons are reported. Members of system:masters may do everything, before any authorizer is called.

import { errorList } from '../../base/error-list.ts';
import { isLater, type Soon } from '../../base/soon.ts';
import { MASTERS } from '../user.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

/** Called for each decision. */
export type DecisionObserver = (decision: Decision) => void;

interface UnionMember {
  /** Precedes the reasons of the authorizer if nobody decides; undefined in releases that do not include it. */
  readonly name?: string | undefined;
  readonly authorizer: Authorizer;
  readonly onDecision?: DecisionObserver;
}

const MASTERS_ALLOWED: Decision = Object.freeze({ allowed: true, reason: '' });

export class UnionAuthorizer implements Authorizer {
  readonly #members: readonly UnionMember[];

  /** @param members in this order */
  constructor(members: readonly UnionMember[]) {
    this.#members = members;
  }

  authorize(attributes: AuthorizationAttributes): Soon<Decision> {
    if (attributes.user.groups.includes(MASTERS)) return MASTERS_ALLOWED;
    return this.#ask(attributes, 0, NOTHING_SAID);
  }

  #ask(attributes: AuthorizationAttributes, from: number, before: Said): Soon<Decision> {
    let said = before;
    for (let index = from; index < this.#members.length; index++) {
      const { name, authorizer, onDecision } = this.#members[index]!;
      const decision = authorizer.authorize(attributes);
      if (isLater(decision)) {
        return decision.then((made) => {
          if (!ends(made)) return this.#ask(attributes, index + 1, joined(said, made, name));
          onDecision?.(made);
          return made;
        });
      }
      if (ends(decision)) {
        onDecision?.(decision);
        return decision;
      }
      said = joined(said, decision, name);
    }
    const { reason, errors } = said;
    return errors.length === 0 ? { allowed: false, reason } : { allowed: false, reason, error: errorList(errors) };
  }
}

function ends({ allowed, denied }: Decision): boolean {
  return allowed || denied === true;
}

interface Said {
  readonly reason: string;
  readonly errors: readonly string[];
}

const NOTHING_SAID: Said = { reason: '', errors: [] };

function joined(before: Said, { reason, error }: Decision, name: string | undefined): Said {
  if (reason === '' && error === undefined) return before;
  const glue = before.reason === '' || reason === '' ? '' : '\n';
  const told = name === undefined || reason === '' ? reason : `${name}: ${reason}`;
  return {
    reason: before.reason + glue + told,
    errors: error === undefined ? before.errors : [...before.errors, error],
  };
}
