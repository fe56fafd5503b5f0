// What an object belongs to, and what belongs to it, as a tree.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import type { Resource } from '../cluster/discovery.ts';
import type { OwnerReference } from '../cluster/live-table.ts';
import type { LiveObject } from './live-object.ts';
import { dependentsOf, ownerOf, type Related, titleOf } from './related.ts';

/** How many levels of owners are looked up: chains are short, and a circle would not end. */
const MAX_OWNERS = 8;

export function RelatedTab({ live, resource }: { readonly live: LiveObject; readonly resource: Resource }) {
  const meta = live.object.value?.metadata;
  const owners = useSignal<readonly Related[]>([]);
  useEffect(() => {
    if (meta !== undefined)
      void ownersOf({ resource, meta }).then((found) => {
        owners.value = found;
      });
  }, [meta?.uid]);
  if (meta === undefined) return null;
  const chain = [...owners.value.toReversed(), { resource, meta }];
  return (
    <div class="scroll">
      <Branch chain={chain} />
    </div>
  );
}

/** Owners outside, the object inside, its dependents below it. */
function Branch({ chain: [first, ...rest] }: { readonly chain: readonly Related[] }) {
  if (first === undefined) return null;
  return (
    <ul class="tree">
      <li>
        <Leaf related={first} isSelf={rest.length === 0} />
        {rest.length > 0 ? <Branch chain={rest} /> : <Dependents of={first} depth={0} />}
      </li>
    </ul>
  );
}

function Dependents({ of, depth }: { readonly of: Related; readonly depth: number }) {
  const found = useSignal<readonly Related[] | undefined>(undefined);
  useEffect(() => {
    void dependentsOf(of.meta.uid, of.meta.namespace).then((dependents) => {
      found.value = dependents;
    });
  }, [of.meta.uid]);
  if (found.value === undefined) return <p class="weak">Looking…</p>;
  if (found.value.length === 0) return depth === 0 ? <p class="weak">Nothing belongs to it.</p> : null;
  return (
    <ul class="tree">
      {found.value.map((related) => (
        <li key={related.meta.uid}>
          <Leaf related={related} isSelf={false} />
          {depth < MAX_OWNERS && <Dependents of={related} depth={depth + 1} />}
        </li>
      ))}
    </ul>
  );
}

function Leaf({ related, isSelf }: { readonly related: Related; readonly isSelf: boolean }) {
  const { resource, meta } = related;
  return (
    <span class="leaf" title={titleOf(related)}>
      <span class="badge">{resource.kind}</span>{' '}
      {isSelf ? <strong>{meta.name}</strong> : <a href={objectHref(resource, meta)}>{meta.name}</a>}{' '}
      <span class="weak">{age(meta.creationTimestamp)}</span>
    </span>
  );
}

async function ownersOf(start: Related): Promise<Related[]> {
  const found: Related[] = [];
  let at: Related | undefined = start;
  while (at !== undefined && found.length < MAX_OWNERS) {
    const references: readonly OwnerReference[] = at.meta.ownerReferences ?? [];
    const reference: OwnerReference | undefined =
      references.find(({ controller }) => controller === true) ?? references[0];
    at = reference === undefined ? undefined : await ownerOf(reference, at.meta.namespace);
    if (at !== undefined) found.push(at);
  }
  return found;
}
