// The plugin ImagePolicyWebhook: a webhook decides whether the images of a pod may run. Decisions are cached.

import { isObject } from '../api/is-object.ts';
import { stringifyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { objectMember, textMember } from '../api/untyped-members.ts';
import { RememberedAnswers } from '../auth/remembered-answers.ts';
import type { Clock } from '../base/clock.ts';
import { lookup } from '../base/lookup.ts';
import { objectsAt } from '../resources/fill-in.ts';
import { textAt } from '../resources/value.ts';
import { annotateAdmission } from './audit-annotations.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { refusal } from './concerns.ts';
import type { ImagePolicyConfiguration } from './plugin-configuration.ts';
import { isOf, PODS } from './resources.ts';

const AUDIT_PREFIX = 'imagepolicywebhook.image-policy.k8s.io/';
/** Marks a pod that was admitted because the webhook was unavailable. */
/** The container lists in a request, by subresource. */
const LISTS: Readonly<Record<string, readonly string[]>> = lookup({
  '': ['containers', 'initContainers'],
  ephemeralcontainers: ['ephemeralContainers'],
});

export function imagePolicy(configuration: ImagePolicyConfiguration | undefined, clock: Clock): AdmissionPlugin {
  const answers = new RememberedAnswers<JsonObject>(clock);
  return {
    name: 'ImagePolicyWebhook',
    admit(admission) {
      const { request, object, operation } = admission;
      const lists = Object.hasOwn(LISTS, request.subresource) ? LISTS[request.subresource] : undefined;
      if (configuration === undefined || object === undefined || lists === undefined) return undefined;
      if (!isOf(PODS, request.definition) || (operation !== 'create' && operation !== 'update')) return undefined;
      return ask(admission, { configuration, answers, object, lists });
    },
  };
}

interface Inquiry {
  readonly configuration: ImagePolicyConfiguration;
  readonly answers: RememberedAnswers<JsonObject>;
  readonly object: ApiObject;
  readonly lists: readonly string[];
}

/** @throws ApiError 403 */
async function ask(admission: AdmissionRequest, { configuration, answers, object, lists }: Inquiry): Promise<void> {
  const spec = questionOf(object, lists, admission.request.namespace);
  const key = stringifyJson(spec);
  let status = answers.get(key);
  if (status === undefined) {
    try {
      status = await configuration.question.ask(spec);
    } catch (error) {
      return decideAlone(admission, { allowed: configuration.defaultAllow, why: (error as Error).message });
    }
    answers.set(key, status, status['allowed'] === true ? configuration.allowTtlMs : configuration.denyTtlMs);
  }
  for (const [name, value] of Object.entries(objectMember(status, 'auditAnnotations'))) {
    annotateAdmission(admission.request.audit, AUDIT_PREFIX + name, String(value));
  }
  if (status['allowed'] === true) return;
  const reason = textMember(status, 'reason');
  throw refusal(
    admission,
    reason === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${reason}`,
  );
}

function questionOf({ metadata, spec }: ApiObject, lists: readonly string[], namespace: string): JsonObject {
  const given = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.includes('.image-policy.k8s.io/'));
  const annotations = Object.fromEntries(given.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const containers = lists.flatMap((list) =>
    objectsAt(isObject(spec) ? spec : {}, list).map((container) => {
      const image = textAt(container, 'image');
      return image === '' ? {} : { image };
    }),
  );
  return {
    ...(containers.length === 0 ? {} : { containers }),
    ...(given.length === 0 ? {} : { annotations }),
    ...(namespace === '' ? {} : { namespace }),
  };
}

/** The decision for a pod if the webhook is unavailable. @throws ApiError 403 */
function decideAlone(
  admission: AdmissionRequest,
  { allowed, why }: { readonly allowed: boolean; readonly why: string },
): void {
  if (!allowed) throw refusal(admission, why);
  annotateAdmission(admission.request.audit, `${AUDIT_PREFIX}failed-open`, 'true');
}
