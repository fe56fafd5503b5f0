// `npm run bench`: measures a server as its clients see it and prints each figure beside that of kube-apiserver and our
// target. bench/README.md explains how to read it.

import { parseArgs } from 'node:util';
import { auditRows } from './audit-rows.ts';
import type { Bench } from './bench.ts';
import { besideRows } from './beside-rows.ts';
import { celRows } from './cel-rows.ts';
import { clusterRows } from './cluster-rows.ts';
import { consoleRows } from './console-rows.ts';
import { definitionRows } from './definition-rows.ts';
import { deletionRows } from './deletion-rows.ts';
import { etcdRows } from './etcd-rows.ts';
import { floorRows } from './floor-rows.ts';
import { getRows } from './get-rows.ts';
import { listRows } from './list-rows.ts';
import { memoryRows } from './memory-rows.ts';
import { nodeRows } from './node-rows.ts';
import { overloadRows } from './overload-rows.ts';
import { pairRows } from './pair-rows.ts';
import { Results } from './results.ts';
import { Workplace } from './server-process.ts';
import { startRows } from './start-rows.ts';
import { threadRows } from './thread-rows.ts';
import { watchRows } from './watch-rows.ts';
import { applyRows, createRows, customRows, patchRows, updateRows } from './write-rows.ts';

const groups: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  start: startRows,
  get: getRows,
  create: createRows,
  etcd: etcdRows,
  update: updateRows,
  patch: patchRows,
  apply: applyRows,
  custom: customRows,
  list: listRows,
  watch: watchRows,
  floor: floorRows,
  memory: memoryRows,
  crds: definitionRows,
  deletion: deletionRows,
  audit: auditRows,
  beside: besideRows,
  overload: overloadRows,
  cel: celRows,
  console: consoleRows,
  cluster: clusterRows,
  threads: threadRows,
  nodes: nodeRows,
  pair: pairRows,
};

const usage = `Usage: npm run bench -- [--only GROUP,...] [--quick] [--profile FOLDER]
Groups: ${Object.keys(groups).join(', ')}`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(groups).join() },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const chosen = values.only.split(',');
  if (!chosen.every((name) => Object.hasOwn(groups, name))) {
    console.error(usage);
    return 1;
  }
  using workplace = new Workplace();
  const results = new Results(values.quick);
  const bench: Bench = {
    workplace,
    quick: values.quick,
    warmUpSeconds: values.quick ? 0.6 : 3,
    seconds: values.quick ? 1.2 : 10,
    profileFolder: values.profile,
    row: (name, figures) => results.row(name, figures),
  };
  let failures = 0;
  for (const name of chosen) {
    try {
      await groups[name]!(bench);
    } catch (error) {
      failures++;
      console.error(`${name} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  console.log(`kept in ${results.save(new Date())}`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main();
