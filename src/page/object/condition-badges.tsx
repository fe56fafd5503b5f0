// The conditions of an object in a row above its views, with what they say of themselves on hovering.

import { conditionsOf, toneOfCondition } from './conditions.ts';
import type { ApiObject } from './live-object.ts';

export function ConditionBadges({ object }: { readonly object: ApiObject }) {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return null;
  return (
    <ul class="conditions" aria-label="Conditions">
      {conditions.map((condition) => {
        const { type, status, reason, message } = condition;
        return (
          <li
            key={type}
            class={`badge ${toneOfCondition(condition)}`}
            title={[reason, message].filter(Boolean).join(': ')}
          >
            {status === 'True' ? type : `${type}: ${status}`}
            {reason !== '' && reason !== type && <span class="weak"> {reason}</span>}
          </li>
        );
      })}
    </ul>
  );
}
