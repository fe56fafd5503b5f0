// The rules of coordinated leader election (KEP-4355): which candidates count, by which strategy a leader is chosen, and
// which candidate becomes the leader. Functions of objects and times.

import type { ApiObject } from '../../../api/object.ts';
import { readVersion, SemanticVersion } from '../../../cel/library/semantic-version.ts';
import { numberAt, textAt } from '../../value.ts';

export const OLDEST_EMULATION_VERSION = 'OldestEmulationVersion';

/** How long a candidate counts without renewing itself, in milliseconds. Kubernetes' value. */
const CANDIDATE_MS = 30 * 60_000;

/** The time in a field of the spec, in milliseconds since the Unix epoch; undefined if it has none. */
export function specTime(object: ApiObject, field: 'pingTime' | 'renewTime'): number | undefined {
  const text = textAt(object, 'spec', field);
  return text === '' ? undefined : Date.parse(text);
}

/** Whether the holder of a Lease has not renewed it in time. */
export function isLeaseExpired(lease: ApiObject, nowMs: number): boolean {
  const renewed = specTime(lease, 'renewTime');
  const seconds = numberAt(lease, 'spec', 'leaseDurationSeconds');
  return renewed === undefined || seconds === 0 || renewed + seconds * 1000 < nowMs;
}

/** Whether a LeaseCandidate has been silent for so long that it does not count any more. */
export function isCandidateExpired(candidate: ApiObject, nowMs: number): boolean {
  const renewed = specTime(candidate, 'renewTime');
  return renewed === undefined || renewed + CANDIDATE_MS < nowMs;
}

/** Whether a LeaseCandidate should renew itself, which an election makes it do. */
export function needsRenewal(candidate: ApiObject, nowMs: number): boolean {
  const renewed = specTime(candidate, 'renewTime');
  return renewed !== undefined && renewed + CANDIDATE_MS / 2 < nowMs;
}

/** The strategy of the candidates with the newest binaries. @throws Error if these disagree, or there are none */
export function bestStrategy(candidates: readonly ApiObject[]): string {
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error('no candidates');
  let best = first;
  for (const each of others) {
    const order = compareVersions(binaryVersion(each), binaryVersion(best));
    if (order > 0) best = each;
    else if (order === 0 && strategyOf(each) !== strategyOf(best)) {
      const names = `${JSON.stringify(best.metadata.name)}, ${JSON.stringify(each.metadata.name)}`;
      const strategies = `${strategyOf(best)}, ${strategyOf(each)}`;
      throw new Error(`candidates ${names} at same binary version but received differing strategies ${strategies}`);
    }
  }
  return strategyOf(best);
}

/** The candidate with the oldest emulation version, then binary version, then age; undefined if none has versions. */
export function oldestCandidate(candidates: readonly ApiObject[]): ApiObject | undefined {
  let oldest: ApiObject | undefined;
  for (const each of candidates) {
    if (binaryVersion(each) === undefined || emulationVersion(each) === undefined) continue;
    if (oldest === undefined || isOlder(each, oldest)) oldest = each;
  }
  return oldest;
}

function isOlder(one: ApiObject, other: ApiObject): boolean {
  const order =
    compareVersions(emulationVersion(one), emulationVersion(other)) ||
    compareVersions(binaryVersion(one), binaryVersion(other));
  if (order !== 0) return order < 0;
  return (one.metadata.creationTimestamp ?? '') < (other.metadata.creationTimestamp ?? '');
}

function strategyOf(candidate: ApiObject): string {
  return textAt(candidate, 'spec', 'strategy');
}

function binaryVersion(candidate: ApiObject): SemanticVersion | undefined {
  return versionIn(textAt(candidate, 'spec', 'binaryVersion'));
}

function emulationVersion(candidate: ApiObject): SemanticVersion | undefined {
  return versionIn(textAt(candidate, 'spec', 'emulationVersion'));
}

function versionIn(text: string): SemanticVersion | undefined {
  const version = readVersion(text);
  return typeof version === 'string' ? undefined : version;
}

/** Without a version counts as version 0. */
function compareVersions(one: SemanticVersion | undefined, other: SemanticVersion | undefined): number {
  return (one ?? ZERO).compareTo(other ?? ZERO);
}

const ZERO = new SemanticVersion([0n, 0n, 0n], []);
