// Audit events are those of kube-apiserver, field by field: the recorded requests, made again.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { conversations } from './conversations.ts';
import { type Conversation, eventsByStep, talk } from './talk.ts';

interface Recorded {
  readonly statuses: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, readonly JsonObject[]>>;
}

const tokenAuthFile = join(import.meta.dirname, '../conformance/tokens.csv');

for (const conversation of conversations) {
  suite(`audit events ${conversation.name} from kube-apiserver`, { timeout: 120_000 }, () => compared(conversation));
}

function compared({ name, policy, steps }: Conversation): void {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as Recorded;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-audit-'));
  let statuses: Record<string, number> = {};
  let events: Record<string, JsonObject[]> = {};

  before(async () => {
    const auditPolicyFile = join(folder, 'policy.yaml');
    const auditLogPath = join(folder, 'logs', 'audit.log');
    writeFileSync(auditPolicyFile, policy);
    const options = { listen: true, tokenAuthFile, auditPolicyFile, auditLogPath };
    // What controllers make of a namespace was not there when the events were recorded.
    await using server = await startTestServer({ ...options, controllers: '' });
    statuses = await talk({ url: server.url, adminToken: 'admin-token', pause: async () => {}, steps });
    const last = Object.keys(recorded.events).at(-1)!;
    // An answer may be there before the end of its own event is.
    events = await until('the last event', () => {
      const found = eventsByStep(readFileSync(auditLogPath, 'utf8'));
      return found[last] !== undefined && found;
    });
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const [step, status] of Object.entries(recorded.statuses)) {
    test(`the request "${step}" has the audit events of kube-apiserver`, () => {
      assert.equal(statuses[step], status);
      assert.deepEqual(events[step] ?? [], recorded.events[step] ?? []);
    });
  }
}
