// An audit event at one stage, as passed to sinks: immutable, with the encodings that sinks use.

import { goQuote } from '../base/go-quote.ts';
import { withoutTrailing } from '../base/without-trailing.ts';
import { annotationsMember } from './annotations-member.ts';
import type { Level, Stage } from './level.ts';
import type { AuditUser } from './policy.ts';

/** The parts of an event common to all of its stages. */
export interface EventFacts {
  readonly level: Level;
  readonly auditId: string;
  /** Path and query as received. */
  readonly requestUri: string;
  readonly verb: string;
  /** Undefined if authentication failed. */
  readonly user: AuditUser | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly namespace: string;
  readonly receivedAt: string;
}

/** The rest, as of the stage. */
interface StageFacts {
  readonly stage: Stage;
  readonly impersonatedUser: AuditUser | undefined;
  readonly code: number | undefined;
  /** JSON fields before and after the bodies, which only some levels record. All are encoded as in Go. */
  readonly head: string;
  readonly bodies: string;
  readonly times: string;
  /** The last field: the result of `annotationsMember`. */
  readonly tail: string;
  readonly annotations: ReadonlyMap<string, string> | undefined;
}

const TRUNCATED = 'audit.k8s.io/truncated';

export class StagedEvent {
  readonly facts: EventFacts;
  readonly stage: Stage;
  readonly #at: StageFacts;
  #line: string | undefined;

  constructor(facts: EventFacts, at: StageFacts) {
    this.facts = facts;
    this.stage = at.stage;
    this.#at = at;
  }

  /** The fields of the event as JSON, without kind, apiVersion and the enclosing braces. */
  members(): string {
    const { head, bodies, times, tail } = this.#at;
    return head + bodies + times + tail;
  }

  /** The event as one line of JSON, including its line feed. */
  line(): string {
    const { head, bodies, times, tail } = this.#at;
    this.#line ??= `{"kind":"Event","apiVersion":"audit.k8s.io/v1",${head}${bodies}${times}${tail}}\n`;
    return this.#line;
  }

  /** Its size for limits on queues. */
  get characters(): number {
    const { head, bodies, times, tail } = this.#at;
    return head.length + bodies.length + times.length + tail.length;
  }

  /** The event without bodies, marked as truncated. */
  withoutBodies(): StagedEvent {
    const annotations = new Map(this.#at.annotations);
    annotations.set(TRUNCATED, 'true');
    return new StagedEvent(this.facts, { ...this.#at, bodies: '', tail: annotationsMember(annotations), annotations });
  }

  /** Kubernetes' legacy format: a line of text, with values quoted as in Go. */
  legacyText(): string {
    const { auditId, verb, user, sourceIps, userAgent, namespace, requestUri, receivedAt } = this.facts;
    const { stage, impersonatedUser, code } = this.#at;
    const name = user?.name ?? '';
    const groups = name === '' || user === undefined || user.groups.length === 0 ? '<none>' : quotedList(user.groups);
    const as = impersonatedUser?.name ?? '<self>';
    const asGroups = impersonatedUser === undefined ? '<lookup>' : quotedList(impersonatedUser.groups);
    const fields: [name: string, value: string][] = [
      ['id', auditId],
      ['stage', stage],
      ['ip', sourceIps[0] ?? '<unknown>'],
      ['method', verb],
      ['user', name === '' ? '<none>' : name],
      ['groups', groups],
      ['as', as],
      ['asgroups', asGroups],
      ['user-agent', userAgent],
      ['namespace', namespace === '' ? '<none>' : namespace],
      ['uri', requestUri],
    ];
    const text = fields.map(([field, value]) => `${field}=${goQuote(value)}`).join(' ');
    return `${shortTime(receivedAt)} AUDIT: ${text} response="${code ?? '<deferred>'}"`;
  }
}

/** Without trailing zeros in the fraction, as Go formats times. */
function shortTime(time: string): string {
  return `${withoutTrailing(withoutTrailing(time.slice(0, -1), '0'), '.')}Z`;
}

function quotedList(values: readonly string[]): string {
  return values.map(goQuote).join(',');
}
