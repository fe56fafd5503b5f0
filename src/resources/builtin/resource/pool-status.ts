// Rules and table columns of ResourcePoolStatusRequest: a question about the devices of a driver, which is answered once.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import type { Draft, Json } from '../../../api/object.ts';
import { CURRENT_MINOR } from '../../../lifecycle/version.ts';
import { combined } from '../../combined-rules.ts';
import { condition } from '../../conditions.ts';
import { type KindRules, STATUS_APART, type StrategyContext, type TableColumns } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import { column, integer, NONE, since, table } from '../../table.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { inGoForm, poolStatusAnswer } from '../../validation/go-form.ts';
import type { PoolStatus, ResourcePoolStatusRequest } from './v1alpha3-objects.ts';

function validateAnswer(
  next: ResourcePoolStatusRequest,
  previous: ResourcePoolStatusRequest,
  { minor = CURRENT_MINOR }: StrategyContext,
): FieldError[] {
  if (previous.status !== undefined) {
    if (equalJson((next.status ?? null) as Json, previous.status as Json)) return [];
    return [fieldError.invalid('status', inGoForm(next.status, poolStatusAnswer(minor)), IMMUTABLE)];
  }
  return validateConditions(next.status?.conditions ?? [], 'status.conditions');
}

const DEFAULT_LIMIT = 100;

function poolStatusDefaults({ spec }: Draft<ResourcePoolStatusRequest>): void {
  if (spec !== undefined) fillIn(spec, { limit: DEFAULT_LIMIT });
}

/** There is no status before the answer. */
function withoutAnswer(request: Draft<ResourcePoolStatusRequest>): void {
  delete request.status;
}

export const poolStatusRules: KindRules<ResourcePoolStatusRequest> = combined(STATUS_APART, {
  defaults: poolStatusDefaults,
  prepareForCreate: withoutAnswer,
  subresources: { status: { validateUpdate: validateAnswer } },
  unconditionalUpdate: false,
  deletion: { returnsObject: true },
});

type Count = 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices';

const describe = (name: string, description: string) => column(name, { description });

export const poolStatusTable: TableColumns<ResourcePoolStatusRequest> = table(
  [
    describe('Driver', 'Whose pools are asked about.'),
    describe('Total', 'Devices of all pools.'),
    describe('Available', 'Devices that can be allocated.'),
    describe('Allocated', 'Devices in use.'),
    describe('Unavailable', 'Devices that can not be allocated.'),
    describe('Errors', 'Pools that are invalid.'),
    { ...integer('Pools'), description: 'Pools that match.' },
    describe('Status', 'Whether it has been answered.'),
    describe('Completed', 'The age of the answer.'),
  ],
  (request) => {
    const pools = request.status?.pools ?? [];
    const isAnswered = request.status !== undefined && state(request) !== 'Failed';
    const sum = (name: Count) => (isAnswered ? String(total(pools, name)) : '-');
    const errors = pools.filter(({ validationError }) => validationError !== undefined).length;
    const completed = state(request) === 'Complete' ? condition(request, 'Complete') : undefined;
    return [
      request.spec?.driver ?? '',
      sum('totalDevices'),
      sum('availableDevices'),
      sum('allocatedDevices'),
      sum('unavailableDevices'),
      isAnswered ? String(errors) : '-',
      request.status?.poolCount ?? 0,
      stateText(request, pools.length),
      completed === undefined ? NONE : since(completed.lastTransitionTime),
    ];
  },
);

function total(pools: readonly PoolStatus[], name: Count): number {
  return pools.reduce((sum, pool) => sum + (pool[name] ?? 0), 0);
}

/** By the first condition that says so. */
function state(request: ResourcePoolStatusRequest): 'Complete' | 'Failed' | 'Pending' {
  const found = (request.status?.conditions ?? []).find(
    ({ type = '', status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return (found?.type as 'Complete' | 'Failed' | undefined) ?? 'Pending';
}

/** An answer may leave pools out. */
function stateText(request: ResourcePoolStatusRequest, shown: number): string {
  const text = state(request);
  const count = request.status?.poolCount ?? 0;
  return text === 'Complete' && count > shown ? `Complete (${shown}/${count} pools)` : text;
}
