// Facts about an object, each with its label above it, as many beside one another as there is room for.

import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import { resourceOfKind } from '../cluster/discovery.ts';
import type { Fact, ObjectName } from './fact.ts';

export function FactList({ label, facts }: { readonly label: string; readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts" aria-label={label}>
      {facts.map((fact) => (
        <div key={fact.label} class={fact.text.length > 60 ? 'long' : undefined}>
          <dt>{fact.label}</dt>
          <dd>
            <FactText fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FactText({ fact: { text, tone = '', time, to } }: { readonly fact: Fact }) {
  if (to !== undefined) return <ObjectLink to={to} />;
  if (time !== undefined && time !== '') {
    return (
      <time dateTime={time} title={time}>
        {age(time)} ago
      </time>
    );
  }
  return <span class={tone === '' ? undefined : `tone ${tone}`}>{text}</span>;
}

/** The name of an object, a link where the cluster serves its kind. */
export function ObjectLink({ to }: { readonly to: ObjectName }) {
  const resource = resourceOfKind(to.apiVersion, to.kind);
  return resource === undefined ? <span>{to.name}</span> : <a href={objectHref(resource, to)}>{to.name}</a>;
}
