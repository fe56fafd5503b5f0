// The resource claims that pods ask for by templates: they are made, named in the status of their pods, and reserved for
// pods that have a node already.

import { isEnding } from '../../api/error-reasons.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../resources/builtin/resource/v1-objects.ts';
import { controlledBy, controllerOf } from '../owners.ts';
import type { ClaimParts } from './claim-parts.ts';
import { claimNameOf, isDone, isToReserve, type PodResourceClaim } from './pod-claims.ts';

const POD_CLAIM = 'resource.kubernetes.io/pod-claim-name';
const MANAGER = 'ResourceClaimController';
/** What leaves room for a hyphen and five characters in a name of 63. */
const LONGEST_BASE = 57;

/** Whether there is anything to do for a pod. One that has ended gets no claims again. */
export function needsWork({ claims }: ClaimParts, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || isDone(pod)) return false;
  for (const entry of pod.spec?.resourceClaims ?? []) {
    const name = claimNameOf(pod, entry);
    if (name === undefined) return true;
    if (name === null) return false;
    const claim = claims.get(pod.metadata.namespace ?? '', name);
    const isMade = entry.resourceClaimName === undefined;
    if (claim === undefined) return isMade;
    if (isMade && controllerOf(claim)?.uid !== pod.metadata.uid) return false;
    if (isToReserve(pod, claim)) return true;
  }
  return false;
}

/** Makes the claims of a pod. @throws Error if one cannot be made; an event has told of it */
export async function makeClaims(parts: ClaimParts, pod: Pod): Promise<void> {
  const names = new Map<string, string>();
  let isNew = false;
  for (const entry of pod.spec?.resourceClaims ?? []) {
    if (entry.resourceClaimTemplateName === undefined) continue;
    const known = claimNameOf(pod, entry);
    if (known === null) continue;
    try {
      const name = known !== undefined && isOwned(parts, pod, known) ? known : await madeFor(parts, pod, entry);
      names.set(entry.name ?? '', name);
      isNew ||= name !== known;
    } catch (error) {
      if (isEnding(error)) return;
      const reason = messageOf(error);
      parts.events.warn(pod, 'FailedResourceClaimCreation', `PodResourceClaim ${entry.name}: ${reason}`);
      throw error;
    }
  }
  if (isNew) {
    const resourceClaimStatuses = [...names].map(([name, resourceClaimName]) => ({ name, resourceClaimName }));
    await parts.objects.applyStatus(parts.pods, pod, { status: { resourceClaimStatuses }, manager: MANAGER });
  }
  await reserve(parts, pod);
}

function isOwned({ claims }: ClaimParts, { metadata }: Pod, name: string): boolean {
  const claim = claims.get(metadata.namespace ?? '', name);
  return claim !== undefined && controllerOf(claim)?.uid === metadata.uid;
}

/** The name of the claim that was made for an entry, possibly a moment ago. */
async function madeFor(parts: ClaimParts, pod: Pod, entry: PodResourceClaim): Promise<string> {
  const { claimsOwned, claims, templates, objects } = parts;
  const made = claimsOwned
    .get(pod.metadata.uid ?? '')
    .find(({ metadata }) => ownMember(metadata.annotations, POD_CLAIM) === entry.name);
  if (made !== undefined) return made.metadata.name ?? '';
  const templateName = entry.resourceClaimTemplateName ?? '';
  const template = templates.get(pod.metadata.namespace ?? '', templateName);
  if (template === undefined) {
    const fault = `resourceclaimtemplate.resource.k8s.io "${templateName}" not found`;
    throw new MissingTemplate(`resource claim template "${templateName}": ${fault}`);
  }
  try {
    const claim = await objects.create<ResourceClaim>(claims, claimFor(pod, entry.name ?? '', template));
    return claim.metadata.name ?? '';
  } catch (error) {
    if (error instanceof Error && !isEnding(error)) error.message = `create ResourceClaim : ${error.message}`;
    throw error;
  }
}

/** A template that a pod names is not there; nothing can be done until it is. */
export class MissingTemplate extends Error {
  override name = 'MissingTemplate';
}

function claimFor(pod: Pod, entryName: string, template: ResourceClaimTemplate): Draft<ResourceClaim> {
  const { metadata, spec } = copyJson((template.spec ?? {}) as unknown as JsonObject) as unknown as Draft<
    Pick<ResourceClaim, 'spec'> & { readonly metadata?: ResourceClaim['metadata'] }
  >;
  const { namespace = '', name = '' } = pod.metadata;
  const { labels, annotations } = metadata ?? {};
  return {
    metadata: {
      namespace,
      generateName: baseName(name, entryName),
      ownerReferences: [controlledBy(pod)],
      annotations: { ...annotations, [POD_CLAIM]: entryName },
      ...(labels === undefined ? {} : { labels }),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** The start of the name of a claim; long ones keep a part of both names. */
function baseName(pod: string, entry: string): string {
  const base = `${pod}-${entry}-`;
  if (base.length <= LONGEST_BASE) return base;
  const part = (name: string, length: number) => name.slice(0, Math.floor((name.length * LONGEST_BASE) / length));
  return `${part(pod, base.length)}-${part(entry, base.length)}`;
}

/** Reserves claims for a pod that was given its node by somebody else than the scheduler. */
async function reserve({ claims, objects }: ClaimParts, pod: Pod): Promise<void> {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  for (const entry of pod.spec?.resourceClaims ?? []) {
    const claim = claims.get(namespace, claimNameOf(pod, entry) ?? '');
    if (claim === undefined || !isToReserve(pod, claim)) continue;
    await objects.updateStatus<ResourceClaim>(claims, claim, (draft) => {
      if (draft.status === undefined || !isToReserve(pod, draft as ResourceClaim)) return false;
      draft.status.reservedFor = [...(draft.status.reservedFor ?? []), { resource: 'pods', name, uid }];
      return true;
    });
  }
}
