// Validation of Workloads from 1.37 on that Kubernetes does not declare with the type: rules about the whole tree of
// templates.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { KindRules } from '../../definition.ts';
import { COMPOSITE_POD_GROUP_TEMPLATE, inGoForm } from '../../validation/go-form.ts';
import type { CompositePodGroupTemplate, PodGroupTemplate, Workload } from './v1beta1-objects.ts';

const MOST_LEVELS = 4;

/** A Workload's spec, or a template of it. */
interface Templates {
  readonly podGroupTemplates?: readonly PodGroupTemplate[] | null | undefined;
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[] | null | undefined;
}

const groupsOf = ({ podGroupTemplates }: Templates) => podGroupTemplates ?? [];
const compositesOf = ({ compositePodGroupTemplates }: Templates) => compositePodGroupTemplates ?? [];

/** Names that repeat one of another list; those within a list are found by its declared rule. */
function repeatedNames(templates: Templates, field: string, names: Set<string>): FieldError[] {
  const composites = compositesOf(templates);
  const place = `${field}.compositePodGroupTemplates`;
  const found = repeatedIn(composites, place, names);
  for (const [index, each] of composites.entries()) {
    const here = `${place}[${index}]`;
    found.push(...repeatedIn(groupsOf(each), `${here}.podGroupTemplates`, names), ...repeatedNames(each, here, names));
  }
  return found;
}

function repeatedIn(list: readonly { readonly name?: string }[], field: string, names: Set<string>): FieldError[] {
  const found = list.flatMap(({ name = '' }, index) =>
    names.has(name) ? [fieldError.duplicate(`${field}[${index}].name`, name)] : [],
  );
  for (const { name = '' } of list) names.add(name);
  return found;
}

function levels(template: Templates): number {
  return 1 + Math.max(0, ...compositesOf(template).map(levels));
}

function tooDeep(spec: Templates): FieldError[] {
  return compositesOf(spec).flatMap((each, index): FieldError[] => {
    if (levels(each) < MOST_LEVELS) return [];
    const below = compositesOf(each).map((child) => inGoForm(child, COMPOSITE_POD_GROUP_TEMPLATE));
    const why = `maximum template hierarchy depth is ${MOST_LEVELS}`;
    const value = below.length === 0 ? null : below;
    return [fieldError.invalid(`spec.compositePodGroupTemplates[${index}]`, value, why)];
  });
}

/** All templates have the same priority. */
function differentPriorities(spec: Templates): FieldError[] {
  const all = [...groupsOf(spec), ...compositesOf(spec).flatMap(withAllBelow)];
  const shown = all.map(({ priorityClassName = '', priority }) => `${priority ?? ''} ${priorityClassName}`);
  const other = shown.findIndex((each) => each !== shown[0]);
  if (other < 0) return [];
  const why =
    other < groupsOf(spec).length
      ? 'detected multiple priority configurations'
      : 'all priority and priorityClassName values must be identical, detected multiple values';
  return [fieldError.invalid('spec', null, why)];
}

function withAllBelow(template: CompositePodGroupTemplate): (CompositePodGroupTemplate | PodGroupTemplate)[] {
  return [template, ...compositesOf(template).flatMap(withAllBelow), ...groupsOf(template)];
}

function withoutChildren(templates: Templates, field: string): FieldError[] {
  return compositesOf(templates).flatMap((each, index) => {
    const here = `${field}.compositePodGroupTemplates[${index}]`;
    const isLeaf = groupsOf(each).length === 0 && compositesOf(each).length === 0;
    const why = 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate';
    return [...(isLeaf ? [fieldError.invalid(here, each.name ?? '', why)] : []), ...withoutChildren(each, here)];
  });
}

function validateWorkload({ spec = {} }: Workload): FieldError[] {
  const names = new Set(groupsOf(spec).map(({ name = '' }) => name));
  return [
    ...repeatedNames(spec, 'spec', names),
    ...tooDeep(spec),
    ...differentPriorities(spec),
    ...withoutChildren(spec, 'spec'),
  ];
}

export const workloadRules: KindRules<Workload> = { validate: validateWorkload };
