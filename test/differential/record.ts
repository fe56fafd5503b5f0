// `node test/differential/record.ts AREA FILE --reference URL`: runs the conversations of a file (a list of scenarios, as
// test/conformance/README.md describes them) against the reference and adds them, with its responses, to the recordings
// of an area. They are regression tests for differences that the differential tester found.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { comparable } from '../conformance/answer.ts';
import { Client } from '../conformance/client.ts';
import { Normaliser } from '../conformance/normalise.ts';
import type { Area, RequestStep, Scenario } from '../conformance/scenario.ts';
import { capture, substitute, type Variables } from '../conformance/variables.ts';

/** How often, and at what interval, a step that waits for a status is repeated. */
const patience = 50;
const pauseMs = 100;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { reference: { type: 'string' } },
});
const [area = '', file = ''] = positionals;
const recorded = join(import.meta.dirname, '../conformance/recorded', `${area}.json`);
const known: Area = existsSync(recorded)
  ? (JSON.parse(readFileSync(recorded, 'utf8')) as Area)
  : { area, reference: 'kube-apiserver v1.34.4', scenarios: [] };
using client = new Client({ url: flags.reference ?? '', token: 'admin-token' });
const scenarios = new Map(known.scenarios.map((scenario) => [scenario.id, scenario]));
for (const scenario of JSON.parse(readFileSync(file, 'utf8')) as Scenario[]) {
  scenarios.set(scenario.id, await held(scenario));
}
const lines = [...scenarios.values()].map((scenario) => JSON.stringify(scenario));
const head = `{"area":${JSON.stringify(known.area)},"reference":${JSON.stringify(known.reference)},"scenarios":[\n`;
writeFileSync(recorded, `${head}${lines.join(',\n')}\n]}\n`);

/** Returns the scenario with the reference's responses; steps with `record: false` compare nothing. */
async function held(scenario: Scenario): Promise<Scenario> {
  const u = randomBytes(4).toString('hex');
  const variables: Variables = { u, ns: `cf-${u}` };
  const normaliser = new Normaliser(variables);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: variables['ns'] } };
  if (scenario.namespace !== false) await client.send({ method: 'POST', path: '/api/v1/namespaces', body });
  const steps: RequestStep[] = [];
  for (const step of scenario.steps as readonly RequestStep[]) {
    const sent = substitute(step, variables);
    let answer = await client.send(sent);
    const wanted = (step as { until?: { status?: number } }).until?.status;
    for (let left = patience; wanted !== undefined && answer.status !== wanted && left > 0; left--) {
      await sleep(pauseMs);
      answer = await client.send(sent);
    }
    capture(step.capture, answer, variables);
    steps.push(
      step.record === false ? step : { ...step, expect: comparable({ ...answer }, sent, { variables, normaliser }) },
    );
  }
  for (const request of scenario.cleanup ?? []) await client.send(substitute(request, variables));
  return { ...scenario, steps };
}
