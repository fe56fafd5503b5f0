// Evaluation of the CEL expressions that select devices: what a scheduler asks about each device.

import type { Json } from '../../../api/object.ts';
import { readVersion } from '../../../cel/library/semantic-version.ts';
import { HashMap } from '../../../cel/value/map.ts';
import type { Value } from '../../../cel/value/value.ts';
import { attempt } from '../../../expressions/attempt.ts';
import { compileExpression } from '../../../expressions/compiled-expression.ts';
import { deviceEnvironments } from '../../../expressions/device-environment.ts';
import { storedExpressions } from '../../../expressions/environments.ts';
import { quantityOf } from '../../../expressions/quantity.ts';
import { readUntyped } from '../../../expressions/untyped-value.ts';
import type { Device, DeviceAttribute } from './v1-objects.ts';

/** A device, with the driver that it belongs to. */
interface DriverDevice {
  readonly driver: string;
  readonly device: Device;
}

/** Whether a device is selected. @throws Error if the expression cannot be evaluated for it */
export type DeviceMatcher = (of: DriverDevice) => boolean;

/** A map in which missing domains are empty, so that asking for one of their names is no error of its own. */
class Domains extends HashMap {
  override get(key: Value): Value | undefined {
    return super.get(key) ?? new HashMap();
  }
}

/**
 * Compiles the expression of a selector.
 * @param sharesDevices whether devices can be allocated several times
 * @throws Error if it is invalid
 */
export function deviceMatcher(expression: string, sharesDevices: boolean): DeviceMatcher {
  const environments = deviceEnvironments(storedExpressions(), sharesDevices);
  const compiled = compileExpression(environments.for(expression), expression);
  if (compiled.fault !== undefined) throw new Error(`CEL compile error: ${compiled.fault}`);
  const { program } = compiled;
  return ({ driver, device }) => {
    const { attributes = {}, capacity = {}, allowMultipleAllocations = false } = device;
    const variable = HashMap.of([
      ['driver', driver],
      ['attributes', byDomain(attributes, driver, attributeValue)],
      ['capacity', byDomain(capacity, driver, ({ value = '0' }) => quantityOf(value))],
      ['allowMultipleAllocations', allowMultipleAllocations],
    ]);
    const outcome = attempt(program, { device: variable });
    if (outcome.fault !== undefined) throw new Error(`CEL runtime error: ${outcome.fault.message}`);
    return outcome.value === true;
  };
}

/** Names without a domain belong to that of the driver. */
function byDomain<Item>(items: Readonly<Record<string, Item>>, driver: string, read: (item: Item) => Value): HashMap {
  const domains = new Map<string, HashMap>();
  for (const [name, item] of Object.entries(items)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    let names = domains.get(domain);
    if (names === undefined) domains.set(domain, (names = new HashMap()));
    names.set(name.slice(slash + 1), read(item));
  }
  const all = new Domains();
  for (const [domain, names] of domains) all.set(domain, names);
  return all;
}

function attributeValue({ int, bool, string, version }: DeviceAttribute): Value {
  if (version === undefined) return readUntyped((int ?? bool ?? string ?? null) as Json);
  const read = readVersion(version);
  if (typeof read === 'string') throw new Error(`parse semantic version: ${read}`);
  return read;
}
