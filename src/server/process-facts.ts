// Facts about the server's process and machine, for metrics and /version.

import { readdirSync, readFileSync } from 'node:fs';
import { arch, networkInterfaces, platform } from 'node:os';
import type { ProcessFacts } from '../lifecycle/collected-metrics.ts';
import type { Runtime } from '../lifecycle/version.ts';
import type { InterfaceAddress } from './advertised-address.ts';

/** Read at scrape time. */
export function processFacts(): ProcessFacts {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    virtualBytes: numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB$/m) * 1024,
    startSeconds: Date.now() / 1000 - process.uptime(),
    openFiles: openFiles(),
    maxFiles: numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m),
  };
}

/** Zero if the system does not report it. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** A value that the system reports about this process in a file; zero if it does not. */
function numberIn(path: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function runtimeFacts(): Runtime {
  return { nodeVersion: process.version, platform: platform(), arch: arch() };
}

/** All addresses of the machine. */
export function machineAddresses(): InterfaceAddress[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
