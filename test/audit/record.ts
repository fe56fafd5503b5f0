// Records the audit events of kube-apiserver for the requests of a conversation:
//
//   node test/audit/record.ts policy NAME > POLICY
//   kube-apiserver … --audit-policy-file=POLICY --audit-log-path=LOG
//   node test/audit/record.ts URL NAME TOKEN LOG > test/audit/NAME.json

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { conversations } from './conversations.ts';
import { eventsByStep, talk } from './talk.ts';

const [url = '', name = '', adminToken = '', log = ''] = process.argv.slice(2);
const conversation = conversations.find((each) => each.name === name);
if (conversation === undefined) throw new Error(`No conversation is named ${name}.`);
const { policy, steps } = conversation;
if (url === 'policy') process.stdout.write(policy);
else {
  const statuses = await talk({ url, adminToken, pause: () => sleep(3_000), steps });
  await sleep(2_000);
  const events = eventsByStep(readFileSync(log, 'utf8'));
  process.stdout.write(`${JSON.stringify({ statuses, events }, undefined, 1)}\n`);
}
