// Rules of admission manifests that objects of the API need not keep: reserved names, and nothing that depends on objects
// of the API.

import type { ApiObject } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { at, listAt, textAt } from '../../resources/value.ts';

const SUFFIX = '.static.k8s.io';

interface Place {
  readonly path: string;
  /** The files of the names of this kind so far. */
  readonly seen: Map<string, string>;
}

/** @throws Error with kube-apiserver's message */
export function checkManifest(object: ApiObject, { path, seen }: Place): void {
  const { kind = '', metadata } = object;
  const name = metadata.name ?? '';
  if (name === '') throw new Error(`resource in file ${goQuote(path)} must have a name`);
  if (!name.endsWith(SUFFIX)) {
    throw new Error(`${goQuote(name)} in file ${goQuote(path)} must have a name ending with ${goQuote(SUFFIX)}`);
  }
  const before = seen.get(name);
  if (before !== undefined) {
    const where = `file ${goQuote(path)} (previously seen in ${goQuote(before)})`;
    throw new Error(`duplicate name ${goQuote(name)} found in ${where}`);
  }
  seen.set(name, path);
  if (kind.endsWith('WebhookConfiguration')) checkWebhooks(object, path);
  else if (kind.endsWith('Binding')) checkBinding(object);
  else if (at(object, 'spec', 'paramKind') !== undefined) {
    throw new Error(`${kind} ${goQuote(name)}: spec.paramKind is not supported for static manifests`);
  }
}

/** Webhooks may not be services, which the API knows. */
function checkWebhooks(configuration: ApiObject, path: string): void {
  const of = `${goQuote(configuration.metadata.name ?? '')} (file ${goQuote(path)})`;
  for (const webhook of listAt(configuration, 'webhooks')) {
    const why =
      at(webhook, 'clientConfig', 'service') !== undefined
        ? 'clientConfig.service is not supported for static manifests; use clientConfig.url instead'
        : textAt(webhook, 'clientConfig', 'url') === ''
          ? 'clientConfig.url is required for static manifests'
          : undefined;
    if (why !== undefined) throw new Error(`webhook ${goQuote(textAt(webhook, 'name'))} in ${of}: ${why}`);
  }
}

function checkBinding(binding: ApiObject): void {
  const name = `binding ${goQuote(binding.metadata.name ?? '')}`;
  const policy = policyOf(binding);
  if (policy === '') throw new Error(`${name} must reference a policy (spec.policyName)`);
  if (!policy.endsWith(SUFFIX)) {
    throw new Error(`${name}: spec.policyName ${goQuote(policy)} must end with ${goQuote(SUFFIX)}`);
  }
  if (at(binding, 'spec', 'paramRef') !== undefined) {
    throw new Error(`${name}: spec.paramRef is not supported for static manifests`);
  }
}

/** @throws Error for a binding of a policy that is not among the objects of a plugin */
export function checkReferences(objects: readonly ApiObject[]): void {
  const isBinding = ({ kind = '' }: ApiObject) => kind.endsWith('Binding');
  const names = new Set(objects.filter((each) => !isBinding(each)).map(({ metadata }) => metadata.name));
  const binding = objects.find((each) => isBinding(each) && !names.has(policyOf(each)));
  if (binding === undefined) return;
  const [name, policy] = [binding.metadata.name ?? '', policyOf(binding)].map(goQuote);
  throw new Error(`binding ${name} references policy ${policy} which does not exist in the manifest directory`);
}

function policyOf(binding: ApiObject): string {
  return textAt(binding, 'spec', 'policyName');
}
