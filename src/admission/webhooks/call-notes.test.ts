import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configure, create, named, QUIET } from '../../../test/admission-webhooks.ts';
import { patching, startWebhook } from '../../../test/webhook-server.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';

test('the audit event of a write has a patch that could be read, and whether it changed the object', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-notes-'));
  try {
    const [auditPolicyFile, auditLogPath] = [join(folder, 'policy.yaml'), join(folder, 'audit.log')];
    writeFileSync(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Request}]\n');
    const patches: Record<string, JsonObject> = {
      changed: { op: 'add', path: '/data/k', value: 'v' },
      same: { op: 'add', path: '/data/own', value: 'value' },
      unreadable: { op: 'add', path: '/data/k', value: 1 },
      moved: { op: 'add', path: '/metadata/namespace', value: 'other' },
    };
    await using webhook = await startWebhook((seen) => patching(seen, patches[seen.review.request['name'] as string]!));
    await using server = await startTestServer({ ...QUIET, auditPolicyFile, auditLogPath });
    await configure(server, 'mutating', [{ at: webhook }]);
    const statuses: number[] = [];
    for (const name of Object.keys(patches))
      statuses.push((await create(server, named(name, { own: 'value' }))).status);
    assert.deepEqual(statuses, [201, 201, 500, 400]);
    const events = readFileSync(auditLogPath, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const notes = events
      .filter(({ stage, objectRef }) => stage === 'ResponseComplete' && objectRef.resource === 'configmaps')
      .map(({ annotations }) => {
        const of = (what: string) => annotations[`${what}.webhook.admission.k8s.io/round_0_index_0`];
        return [JSON.parse(of('mutation')).mutated, of('patch') !== undefined];
      });
    assert.deepEqual(notes, [
      [true, true],
      [false, true],
      [false, false],
      [true, true],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
