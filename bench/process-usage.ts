// Resource usage of a process, read from Linux' /proc: processor time of all its threads, and current and peak memory.

import { readFileSync, writeFileSync } from 'node:fs';

/** Linux reports processor time to user space in ticks of a hundredth of a second on every machine. */
const MICROS_PER_TICK = 10_000;

/** Processor time so far, user and system, of all threads including those that ended, in microseconds. */
export function processorMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in parentheses, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK;
}

/** Resident memory in megabytes. */
export function residentMegabytes(pid: number): number {
  return statusMegabytes(pid, 'VmRSS');
}

/** Peak resident memory since the process started, or since forgetPeak(), in megabytes. */
export function peakMegabytes(pid: number): number {
  return statusMegabytes(pid, 'VmHWM');
}

/** Resets the peak to the current resident memory. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMegabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status does not tell ${field}`);
  return Number(kilobytes) / 1024;
}
