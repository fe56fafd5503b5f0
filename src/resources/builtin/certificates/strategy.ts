// Strategy of CertificateSigningRequest: the server sets the requester's identity, which is immutable; approvers and
// signers use one subresource each.

import { copyJson } from '../../../api/json-writer.ts';
import type { Draft } from '../../../api/object.ts';
import { timestamp } from '../../../api/timestamp.ts';
import type { KindRules } from '../../definition.ts';
import { fillInEmpty } from '../../fill-in.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './v1-objects.ts';

export const signingRequestStrategy: KindRules<CertificateSigningRequest> = {
  prepareForCreate: (request, { user }) => {
    const spec = (request.spec ??= {});
    for (const member of ['username', 'uid', 'groups', 'extra'] as const) delete spec[member];
    if (user.name !== '') spec.username = user.name;
    if (user.uid !== '') spec.uid = user.uid;
    if (user.groups.length > 0) spec.groups = [...user.groups];
    const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
    if (extra.length > 0) spec.extra = Object.fromEntries(extra);
    request.status = {};
  },
  prepareForUpdate: (next, previous) => {
    next.spec = previous.spec;
  },
  resets: ['spec', 'status'],
  subresources: {
    status: {
      prepareForUpdate: (next, previous, { nowMs }) => {
        for (const verdict of ['Approved', 'Denied']) keepVerdict(next, previous, verdict);
        stampConditions(next, previous, nowMs);
      },
      resets: ['spec', 'status.conditions'],
    },
    approval: {
      // Only conditions: the rest of the status belongs to the signer.
      prepareForUpdate: (next, previous, { nowMs }) => {
        const { conditions } = (next.status ??= {});
        next.spec = copyJson(previous.spec);
        next.status = { ...copyJson(previous.status), conditions };
        stampConditions(next, previous, nowMs);
      },
      resets: ['spec', 'status.certificate'],
    },
  },
};

type Request = Draft<CertificateSigningRequest>;

/** A signer keeps approval conditions; those that it adds or removes are rejected later. */
function keepVerdict(next: Request, previous: Request, type: string): void {
  const of = (request: Request) => conditionsOf(request).filter((condition) => condition.type === type);
  const [given, kept] = [of(next), of(previous)];
  if (given.length !== kept.length) return;
  for (const [index, condition] of given.entries()) {
    for (const member of Object.keys(condition) as (keyof typeof condition)[]) delete condition[member];
    Object.assign(condition, kept[index]);
  }
}

/** Defaults for the times of a condition. */
function stampConditions(next: Request, previous: Request, nowMs: number): void {
  const now = timestamp(nowMs);
  for (const condition of conditionsOf(next)) {
    const before = conditionsOf(previous).find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    fillInEmpty(condition, { lastUpdateTime: now, lastTransitionTime: before?.lastTransitionTime ?? now });
  }
}

function conditionsOf(request: Request): Draft<CertificateSigningRequestCondition>[] {
  return request.status?.conditions ?? [];
}
