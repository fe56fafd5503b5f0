// Audit events are those of kube-apiserver, field by field: the recorded requests, made again.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { policy } from './steps.ts';
import { eventsByStep, talk } from './talk.ts';

interface Recorded {
  readonly statuses: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, readonly JsonObject[]>>;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as Recorded;
const tokenAuthFile = join(import.meta.dirname, '../conformance/tokens.csv');

suite('audit events recorded from kube-apiserver', { timeout: 120_000 }, () => {
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
    statuses = await talk({ url: server.url, adminToken: 'admin-token', pause: async () => {} });
    const last = Object.keys(recorded.events).at(-1)!;
    // An answer may be there before the end of its own event is.
    events = await until('the last event', () => {
      const found = eventsByStep(readFileSync(auditLogPath, 'utf8'));
      return found[last] !== undefined && found;
    });
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const [name, status] of Object.entries(recorded.statuses)) {
    test(name, () => {
      assert.equal(statuses[name], status);
      assert.deepEqual(events[name] ?? [], recorded.events[name] ?? []);
    });
  }
});
