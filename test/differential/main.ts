// `npm run differential [-- --seed N --minutes M --area a,b]`: sends the same random requests to the real
// kube-apiserver and to Keelson and prints where their responses differ, rule by rule, each with the smallest
// conversation that shows it.
//
//   --cases N        conversations of each area, instead of --minutes
//   --only TEXT      reduces only the group whose rule or resources contain the text; in the area cluster, the numbers
//                    of sequences
//   --reduce N       how many groups are reduced (default 40)
//   --port N         the first of three ports for the reference
//   --feature-gates A=true,B=false   both serve all versions, with these gates
//   --emulated-version 1.33   both serve all versions of this one
//   --release 1.37   both are this release; the reference's program is in ~/.cache/keelson-reference-1.37/bin
//   --gates          both serve all versions, with the gates that kinds in alpha and beta need
//   --reference URL  a running reference, whose administrator's token is admin-token
//
// Results are written to .cache/differential/<area>-<seed>.json. The same seed generates the same requests.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '../../src/testing.ts';
import { areas } from './areas.ts';
import { Bodies } from './bodies.ts';
import { gateFlags, gates, gatesIn } from './gates.ts';
import { readManifests } from './manifests.ts';
import { missingReference, serviceRange, startReference } from './reference.ts';
import { printReport, report } from './report.ts';
import { runArea } from './run.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    cases: { type: 'string' },
    area: { type: 'string' },
    only: { type: 'string', default: '' },
    reduce: { type: 'string', default: '40' },
    port: { type: 'string', default: '17643' },
    reference: { type: 'string' },
    gates: { type: 'boolean', default: false },
    'feature-gates': { type: 'string' },
    'emulated-version': { type: 'string' },
    release: { type: 'string' },
    concurrency: { type: 'string', default: '6' },
  },
});

if (flags.area === 'cluster') {
  const { compareClusters } = await import('./cluster/run.ts');
  await compareClusters({
    seed: Number(flags.seed),
    minutes: Number(flags.minutes),
    cases: flags.cases === undefined ? Number.POSITIVE_INFINITY : Number(flags.cases),
    concurrency: Number(flags.concurrency),
    only: flags.only === '' ? [] : flags.only.split(',').map(Number),
  });
  process.exit();
}
const missing = flags.reference === undefined ? missingReference(flags.release) : undefined;
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`);
else await main();

async function main(): Promise<void> {
  const given = flags['feature-gates'];
  const emulated = flags['emulated-version'];
  const wanted = given === undefined ? (flags.gates ? gates : emulated === undefined ? undefined : {}) : gatesIn(given);
  const gated = wanted === undefined ? [] : gateFlags(wanted, emulated);
  await using started =
    flags.reference === undefined ? await startReference(Number(flags.port), gated, flags.release) : undefined;
  const reference = started?.target ?? { url: flags.reference!, token: 'admin-token' };
  const tokenAuthFile = join(import.meta.dirname, '../conformance/tokens.csv');
  // Only what kube-apiserver itself runs: the reference has no controller manager.
  const controllers = 'apiservice-availability-controller,flowschema-status-controller,kubernetes-service-controller';
  const server = await startTestServer({
    listen: true,
    tokenAuthFile,
    controllers,
    serviceClusterIpRange: serviceRange,
    // The reference's default, which differs from ours.
    allowPrivileged: false,
    ...(wanted !== undefined && { featureGates: wanted, runtimeConfig: { 'api/all': 'true' } }),
    ...(flags.release !== undefined && { kubernetesVersion: flags.release }),
    ...(emulated !== undefined && { emulatedVersion: [emulated] }),
  });
  const pair = { reference, ours: { url: server.url, token: 'admin-token' } };
  const bodies = new Bodies(await readManifests(), wanted !== undefined);
  const asked = flags.area?.split(',') ?? areas.map(({ name }) => name);
  const folder = join(import.meta.dirname, '../../.cache/differential');
  mkdirSync(folder, { recursive: true });
  for (const area of areas.filter(({ name }) => asked.includes(name))) {
    const result = await runArea(area, pair, {
      bodies,
      seed: Number(flags.seed),
      concurrency: Number(flags.concurrency),
      cases: flags.cases === undefined ? Number.POSITIVE_INFINITY : Number(flags.cases),
      minutes: flags.cases === undefined ? Number(flags.minutes) : Number.POSITIVE_INFINITY,
      reduced: Number(flags.reduce),
      only: flags.only,
    });
    writeFileSync(join(folder, `${area.name}-${flags.seed}.json`), JSON.stringify(report(result), undefined, 1));
    printReport(area.name, Number(flags.seed), result);
  }
  await server.close();
}
