// The namespaces of a real node: its network, mounts and processes are its own, so that it changes nothing on the machine
// and ends with all its containers when the tests do. Only its cgroups remain; they are removed afterwards.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../until.ts';

/** The process outside, for the one inside. */
const inside = 'E2E_ISOLATED_BY';
const cgroups = '/sys/fs/cgroup';
/** The node's part of each hierarchy. */
export const cgroup = `/keelson-e2e-${process.env[inside] ?? process.pid}`;
/** For documentation: no machine has it. */
export const nodeAddress = '192.0.2.2';

const programs = ['unshare', 'containerd', 'runc', 'ctr', 'iptables', 'conntrack', 'ip', '/usr/lib/cni/bridge'];
/** Settings of the whole machine that a kubelet would change. */
const settings = [
  ...['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'],
  ...['kernel/keys/root_maxkeys', 'kernel/keys/root_maxbytes'],
];

/** Why this machine cannot be a node; undefined if it can. */
export function unfitMachine(): string | undefined {
  if (process.getuid?.() !== 0) return 'a real node needs root';
  if (!existsSync(cgroups)) return 'a real node needs cgroups';
  const folders = ['', ...(process.env['PATH'] ?? '').split(':')];
  const missing = programs.find((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing === undefined ? undefined : `a real node needs the program ${missing}`;
}

export function isIsolated(): boolean {
  return process.env[inside] !== undefined;
}

/** Runs this program again inside new namespaces; returns its exit status. */
export async function runIsolated(): Promise<number> {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  // The shell reaps orphans, as the first process of the namespace must.
  const shell = ['bash', '-c', '"$@"; exit "$?"', 'bash'];
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...namespaces, ...shell, ...command], {
    stdio: 'inherit',
    env: { ...process.env, [inside]: String(process.pid) },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGKILL'));
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
  // The last processes may take a moment to end.
  await until('the cgroups are empty', () => {
    for (const hierarchy of hierarchies()) removeCgroup(hierarchy);
    return true;
  });
  return status;
}

/** Prepares the namespaces that this program was started in. @param folder for what the node stores */
export function prepareIsolation(folder: string): void {
  const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, { stdio: 'inherit' });
  run('mount', '--make-rshared', '/');
  for (const path of ['/run', '/var/log']) run('mount', '-t', 'tmpfs', 'tmpfs', path);
  const library = join(folder, 'lib');
  mkdirSync(library, { recursive: true });
  run('mount', '--bind', library, '/var/lib');
  for (const name of settings) {
    const copy = join(folder, name.replaceAll('/', '.'));
    writeFileSync(copy, readFileSync(join('/proc/sys', name)));
    run('mount', '--bind', copy, join('/proc/sys', name));
  }
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'node0', 'type', 'bridge');
  run('ip', 'address', 'add', `${nodeAddress}/24`, 'dev', 'node0');
  run('ip', 'link', 'set', 'node0', 'up');
  // Addresses of services are routed before they are translated.
  run('ip', 'route', 'add', 'default', 'dev', 'node0');
  for (const name of ['net/ipv4/ip_forward', 'net/bridge/bridge-nf-call-iptables'])
    writeFileSync(join('/proc/sys', name), '1');
  for (const hierarchy of hierarchies()) mkdirSync(hierarchy, { recursive: true });
}

/** Returns the node's cgroup in each hierarchy: several of version 1, or the one of version 2. */
function hierarchies(): string[] {
  if (existsSync(join(cgroups, 'cgroup.controllers'))) return [join(cgroups, cgroup)];
  return readdirSync(cgroups).map((name) => join(cgroups, name, cgroup));
}

function removeCgroup(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  rmdirSync(path);
}
