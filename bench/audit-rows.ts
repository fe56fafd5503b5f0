// Rows for the cost of auditing: gets of one pod from two servers, one of which logs every request at level Metadata to
// a file. The two alternate, so that other load on the machine affects both.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, fill, measureLoop, type Rig, withRig } from './bench.ts';
import { PODS } from './workloads.ts';

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n';
const ROUNDS = 3;

export async function auditRows(bench: Bench): Promise<void> {
  const policy = join(bench.workplace.folder, 'audit-policy.yaml');
  writeFileSync(policy, POLICY);
  const log = join(bench.workplace.folder, 'audit.log');
  const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, '--audit-log-maxbackup=1'];
  await withRig(bench, async (silent) => {
    await fill(silent.load, 'get', 10);
    await withRig(
      bench,
      async (recording) => {
        await fill(recording.load, 'get', 10);
        const costs: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const without = await cpuOfGet(bench, silent);
          costs.push((await cpuOfGet(bench, recording)) - without);
        }
        bench.row('audit of a get at level Metadata, to a file', { cpuMicros: costs.sort((a, b) => a - b)[1] ?? 0 });
      },
      { flags },
    );
  });
}

async function cpuOfGet(bench: Bench, rig: Rig): Promise<number> {
  const workload = () => ({ kind: 'get', path: `${PODS}/get-5` }) as const;
  const { cpuMicros } = await measureLoop(bench, rig, { connections: 10, streams: 8, workload });
  return cpuMicros ?? 0;
}
