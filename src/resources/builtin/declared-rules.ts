// The tags of declared validation in one release, from the table of all that enforce them.

import { lookup } from '../../base/lookup.ts';
import type { DeclaredTags } from '../../schema/declared/validation.ts';
import { DECLARED_TAGS } from './declared-tags.ts';

/** The tags of all types in a minor release of Kubernetes 1. */
export function declaredTags(minor: number): DeclaredTags {
  const types = Object.entries(DECLARED_TAGS).map(([type, fields]) => {
    const tags = Object.entries(fields).map(([field, spans]) => {
      const [, ...own] = spans.findLast(([since]) => since <= minor) ?? [0];
      return [field, own] as const;
    });
    return [type, lookup(Object.fromEntries(tags))] as const;
  });
  return lookup(Object.fromEntries(types));
}
