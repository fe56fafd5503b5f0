// A fact about an object: a label and a text, which may name another object.

import { textAt } from '../relations/members.ts';

export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export interface Fact {
  readonly label: string;
  readonly text: string;
  /** 'good', 'warn', 'bad' for a state. */
  readonly tone?: string;
  /** An RFC 3339 time whose age is shown instead of the text. */
  readonly time?: string;
  /** The object that the text names. */
  readonly to?: ObjectName;
}

/** Returns a fact that names an object. */
export function linkFact(label: string, to: ObjectName): Fact {
  return { label, text: to.name, to };
}

/** Returns the phase in an object's status, with its tone by a table of the phases of its kind. */
export function phaseFact(object: unknown, tones: Readonly<Record<string, string>>): Fact {
  const phase = textAt(object, 'status', 'phase');
  return { label: 'Phase', text: phase, tone: Object.hasOwn(tones, phase) ? tones[phase]! : '' };
}
