// What the rules of declared validation judge, and the form of a rule.

import type { FieldError } from '../../api/errors.ts';
import type { Json } from '../../api/object.ts';

/** What rules may ask of a request. */
export interface RuleScope {
  /** Whether an option is on, which is mostly the gate of that name. */
  readonly isOn: (option: string) => boolean;
  /** Whether rules in beta count. */
  readonly beta: boolean;
}

/** A value, its previous value, and where it is. */
export interface Judged {
  readonly next: Json | undefined;
  readonly previous: Json | undefined;
  /** An update of a value that was there, so that `previous` can be compared. */
  readonly updates: boolean;
  readonly path: string;
  readonly scope: RuleScope;
}

export type Rule = (judged: Judged) => readonly FieldError[];

export const NO_ERRORS: readonly FieldError[] = Object.freeze([]);
