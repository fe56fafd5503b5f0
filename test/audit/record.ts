// Records the audit events of kube-apiserver for the requests in steps.ts:
//
//   kube-apiserver … --audit-policy-file=POLICY --audit-log-path=LOG    with the policy of steps.ts
//   node test/audit/record.ts URL TOKEN LOG > test/audit/recorded.json

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsByStep, talk } from './talk.ts';

const [url = '', adminToken = '', log = ''] = process.argv.slice(2);
const statuses = await talk({ url, adminToken, pause: () => sleep(3_000) });
await sleep(2_000);
const events = eventsByStep(readFileSync(log, 'utf8'));
process.stdout.write(`${JSON.stringify({ statuses, events }, undefined, 1)}\n`);
