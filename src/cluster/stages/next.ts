// What a Stage does to an object: an event, finalizers, and the deletion of the object or patches of it.

import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { parseYaml } from '../../api/yaml-reader.ts';
import type { PatchBody, PatchType } from '../../verbs/patch.ts';
import type { StageLook } from './expression.ts';
import { nextTurn } from './next-turn.ts';
import { STAGE_FUNCTION_NAMES, type Surroundings, stageFunctions } from './stage-functions.ts';
import type { StageFinalizers, StageNext, StagePatch } from './stage-objects.ts';
import { compileTemplate, type Template } from './templates/template.ts';

export interface CompiledNext {
  readonly event: StageNext['event'];
  readonly deletes: boolean;
  readonly patches: readonly CompiledPatch[];
  readonly finalizers: StageFinalizers | undefined;
}

export interface CompiledPatch {
  readonly subresource: string;
  /** On whose behalf it is written; undefined for KWOK's own user. */
  readonly username: string | undefined;
  readonly type: PatchType;
  readonly root: string;
  readonly template: Template;
}

/**
 * @param options `isTyped`: whether the kind has strategic merge patches by default
 * @throws Error for a template that cannot be read
 */
export function compileNext(next: StageNext, { isTyped }: { readonly isTyped: boolean }): CompiledNext {
  const patches = patchesOf(next).map(({ subresource = '', root = '', template = '', type = '', impersonation }) => ({
    subresource,
    username: impersonation?.username,
    type: typeOf(type, isTyped),
    root,
    template: compileTemplate(template, STAGE_FUNCTION_NAMES),
  }));
  return { event: next.event, deletes: next.delete === true, patches, finalizers: next.finalizers };
}

/** The patches, of which the old form has a single one, of the status. */
function patchesOf({
  patches = [],
  statusTemplate = '',
  statusSubresource,
  statusPatchAs,
}: StageNext): readonly StagePatch[] {
  if (patches.length > 0 || statusTemplate === '') return patches;
  const impersonation = statusPatchAs === undefined ? {} : { impersonation: statusPatchAs };
  return [{ subresource: statusSubresource ?? 'status', root: 'status', template: statusTemplate, ...impersonation }];
}

function typeOf(type: string, isTyped: boolean): PatchType {
  if (type === '') return isTyped ? 'strategic' : 'merge';
  if (type === 'json' || type === 'merge' || type === 'strategic') return type;
  throw new Error(`patch type ${JSON.stringify(type)} is not supported`);
}

/** @throws TemplateError, BudgetError or YamlError if the template makes nothing of the object */
export async function renderedPatch(
  { template, type, root }: CompiledPatch,
  look: StageLook,
  surroundings: Surroundings,
): Promise<PatchBody> {
  const { object, budget, random } = look;
  const text = template.render(object, { budget, random, functions: stageFunctions(surroundings) });
  const { value } = await parseYaml(text, { pause: nextTurn });
  return { type, text: stringifyJson(type === 'json' ? operationsAt(root, value) : mergedAt(root, value)) };
}

function mergedAt(root: string, value: Json): Json {
  return root === '' ? value : { [root]: value };
}

/** The operations of a JSON patch, with paths below the root. @throws Error for anything else */
function operationsAt(root: string, value: Json): Json {
  if (root === '') return value;
  if (!Array.isArray(value)) throw new Error('a JSON patch must be a list of operations');
  return value.map((operation) => {
    const { path = '', ...rest } = operation as JsonObject;
    return { ...rest, path: `/${root}${String(path)}` };
  });
}

/** The patch that changes the finalizers of an object, unless it was changed meanwhile; undefined if they stay. */
export function finalizersPatch({ metadata }: ApiObject, wanted: StageFinalizers): PatchBody | undefined {
  const before = metadata.finalizers ?? [];
  const valuesOf = (items: StageFinalizers['add']) =>
    (items ?? []).flatMap(({ value = '' }) => (value === '' ? [] : [value]));
  const removed = valuesOf(wanted.remove);
  const kept = wanted.empty === true ? [] : before.filter((each) => !removed.includes(each));
  const finalizers = [...new Set([...kept, ...valuesOf(wanted.add)])];
  if (finalizers.length === before.length && finalizers.every((each, index) => each === before[index]))
    return undefined;
  const { resourceVersion = '' } = metadata;
  return { type: 'merge', text: stringifyJson({ metadata: { resourceVersion, finalizers } }) };
}
