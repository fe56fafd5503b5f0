// Conversion of flowcontrol.apiserver.k8s.io/v1beta1 to v1beta3 PriorityLevelConfigurations. The first two call the
// shares of a level assuredConcurrencyShares and cannot express 0; v1beta3 expresses 0 with an annotation.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Conversion } from '../definition.ts';
import { at } from '../value.ts';

const SHARES = 30;
const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** v1beta1 and v1beta2: absent and 0 shares both mean 30. */
export const assuredShares: Conversion = {
  toStorage: (level) =>
    withLimited(level, ({ assuredConcurrencyShares: shares, ...limited }) => ({
      nominalConcurrencyShares: isNone(shares) ? SHARES : shares,
      ...limited,
    })),
  fromStorage: (level) =>
    withLimited(level, ({ nominalConcurrencyShares: shares, ...limited }) => ({
      assuredConcurrencyShares: shares ?? 0,
      ...limited,
    })),
};

/** v1beta3: absent and 0 shares mean 30, unless an annotation says that 0 is meant. */
export const nominalShares: Conversion = {
  toStorage: (level) => {
    const { [ZERO_SHARES]: zero, ...annotations } = level.metadata.annotations ?? {};
    const converted = withLimited(level, ({ nominalConcurrencyShares: shares, ...limited }) => ({
      nominalConcurrencyShares: isNone(shares) ? (zero === undefined ? SHARES : 0) : shares,
      ...limited,
    }));
    return zero === undefined ? converted : withAnnotations(converted, annotations);
  },
  fromStorage: (level) => {
    if (at(level, 'spec', 'limited', 'nominalConcurrencyShares') !== 0) return level;
    return withAnnotations(level, { ...level.metadata.annotations, [ZERO_SHARES]: '' });
  },
};

function isNone(shares: unknown): shares is undefined | null | 0 {
  return shares === undefined || shares === null || shares === 0;
}

function withLimited(level: ApiObject, change: (limited: JsonObject) => JsonObject): ApiObject {
  const limited = at(level, 'spec', 'limited');
  if (!isObject(limited)) return level;
  return { ...level, spec: { ...(level['spec'] as JsonObject), limited: change(limited) } };
}

function withAnnotations(level: ApiObject, annotations: Record<string, string>): ApiObject {
  const { annotations: _before, ...metadata } = level.metadata;
  return {
    ...level,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}
