// Conversion between events.k8s.io events and core events, which are stored: the same fields with other names.

import type { ApiObject, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Conversion } from '../definition.ts';

/** Core names and new names; fields that are not listed have the same name in both. */
const NAMES: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];
const TO_CORE = new Map(NAMES.map(([core, newer]) => [newer, core]));
const TO_NEWER = new Map(NAMES);

/** Fields that core events include even if empty, and new events do not. */
const SAID_WHEN_EMPTY: ReadonlySet<string> = new Set(['reportingController', 'reportingInstance']);

/** events.k8s.io/v1 to and from core/v1. */
export const newerEvent: Conversion = {
  toStorage: (event) => renamed(event, TO_CORE),
  fromStorage: (event) => {
    const newer = renamed(event, TO_NEWER);
    for (const name of SAID_WHEN_EMPTY) if (ownMember(newer, name) === '') delete newer[name];
    return newer;
  },
};

function renamed(event: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const out: JsonObject = {};
  for (const [name, value] of Object.entries(event)) out[names.get(name) ?? name] = value;
  return out as ApiObject;
}
