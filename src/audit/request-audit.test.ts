import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsMember } from './annotations-member.ts';
import { RequestAudit } from './request-audit.ts';
import type { StagedEvent } from './staged-event.ts';

/** The annotations at the end of a long-running request whose answer began after so many milliseconds. */
function annotationsAfter(verb: string, startedMs: number): unknown {
  const attributes = {
    ...{ user: undefined, verb, isResource: true, path: '/api/v1/pods', group: '', version: 'v1' },
    ...{ resource: 'pods', subresource: '', namespace: '', name: '' },
  };
  const request = {
    ...{ auditId: 'a', requestUri: '/api/v1/pods', attributes, userAgent: '', sourceIps: [] },
    ...{ receivedMs: 1_000, isLongRunning: true },
  };
  const events: StagedEvent[] = [];
  const audit = new RequestAudit({ level: 'Metadata', omitStages: new Set(), omitManagedFields: false }, request, {
    now: () => 1_000 + startedMs,
    time: String,
    userJson: () => '{}',
    annotationsMember,
    emit: (event) => events.push(event),
    holdsAnswers: false,
  });
  audit.received();
  audit.begins(200);
  audit.completes();
  return JSON.parse(events.at(-1)!.line()).annotations;
}

test('the audit event of a slow long-running request has its latency, but not that of a watch', () => {
  assert.deepEqual(annotationsAfter('proxy', 501), { 'apiserver.latency.k8s.io/total': '501ms' });
  assert.deepEqual(annotationsAfter('proxy', 500), undefined);
  assert.deepEqual(annotationsAfter('watch', 501), undefined);
});
