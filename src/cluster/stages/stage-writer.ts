// Writer of what Stages do to objects, as KWOK's user or one that a patch names.

import type { ApiObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { AUTHENTICATED } from '../../auth/user.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { StageLook } from './expression.ts';
import { type CompiledNext, type CompiledPatch, finalizersPatch, renderedPatch } from './next.ts';
import type { Surroundings } from './stage-functions.ts';

/** KWOK's service account in kube-system, its user agent and the component of its events. */
const ACCOUNT = 'kwok-controller';
const USER_AGENT = 'kwok';
const COMPONENT = 'kwok_controller';

/** Deletions by Stages wait for no grace period. */
const AT_ONCE = { gracePeriodSeconds: 0 };

interface Play {
  readonly next: CompiledNext;
  readonly look: StageLook;
  readonly surroundings: Surroundings;
}

export class StageWriter {
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
  readonly #context: ClusterContext;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.objects = new ClusterObjects(context, ACCOUNT, USER_AGENT);
    this.events = new ClusterEvents(context, { component: COMPONENT, as: ACCOUNT, userAgent: USER_AGENT });
  }

  /** Does to an object what a Stage says. @throws ApiError of a write; Error for a template that makes no patch */
  async play(definition: ResourceDefinition, { next, look, surroundings }: Play): Promise<void> {
    const { object } = look;
    this.#tell(object, next.event);
    const finalizers = next.finalizers && finalizersPatch(object, next.finalizers);
    if (finalizers !== undefined) {
      await this.objects.patch({ definition }, object, { patch: finalizers, subresource: '' });
    }
    if (next.deletes) {
      await this.objects.delete({ definition }, object, AT_ONCE);
      return;
    }
    for (const each of next.patches) {
      checkPatch(definition, each);
      const patch = await renderedPatch(each, look, surroundings);
      await this.#objectsOf(each).patch({ definition }, object, { patch, subresource: each.subresource });
    }
  }

  #tell(object: ApiObject, event: CompiledNext['event']): void {
    if (event === undefined) return;
    const { type, reason = '', message = '' } = event;
    if (type === 'Warning') this.events.warn(object, reason, message);
    else this.events.record(object, reason, message);
  }

  #objectsOf({ username }: CompiledPatch): ClusterObjects {
    if (username === undefined) return this.objects;
    const user = { name: username, uid: '', groups: [AUTHENTICATED], extra: {} };
    return new ClusterObjects(this.#context, user, USER_AGENT);
  }
}

/** @throws Error for a patch that the resource does not have */
function checkPatch(
  { subresources, strategy, custom }: ResourceDefinition,
  { subresource, type }: CompiledPatch,
): void {
  if (custom && type === 'strategic') throw new Error('custom resources have no strategic merge patches');
  if (subresource === '') return;
  const isServed = Object.hasOwn(subresources, subresource);
  const isPatched = ownMember(strategy.subresources, subresource) !== undefined;
  if (!isServed || !isPatched) throw new Error(`the subresource ${JSON.stringify(subresource)} cannot be patched`);
}
