// What an object belongs to, and what belongs to it, as a picture or as a list.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import type { Resource } from '../cluster/discovery.ts';
import { place, setQuery } from '../shell/router.ts';
import type { Relations } from '../understand/owner-graph.ts';
import { OwnerGraphView } from '../understand/owner-graph-view.tsx';
import type { LiveObject } from './live-object.ts';
import { dependentsByOwner, ownedObjects, ownersOf, type Related, titleOf } from './related.ts';

export function RelatedTab({ live, resource }: { readonly live: LiveObject; readonly resource: Resource }) {
  const meta = live.object.value?.metadata;
  const relations = useSignal<Relations | undefined>(undefined);
  const times = useSignal(0);
  useEffect(() => {
    if (meta === undefined) return undefined;
    const self: Related = { resource, meta };
    let isLate = false;
    void Promise.all([ownersOf(self), ownedObjects(meta.namespace)]).then(([owners, owned]) => {
      if (!isLate) relations.value = { self, owners, owned };
    });
    return () => {
      isLate = true;
    };
  }, [meta?.uid, times.value]);
  if (relations.value === undefined) return <p class="empty">Looking…</p>;
  const isList = place.value.query.get('as') === 'list';
  const { self, owners } = relations.value;
  const isAlone = owners.length === 0 && !dependentsByOwner(relations.value.owned).has(self.meta.uid);
  return (
    <>
      <div class="actions">
        <span class="weak">
          {isAlone ? 'It belongs to nothing, and nothing belongs to it.' : 'By owner references.'}
        </span>
        <span class="grow" />
        <button type="button" onClick={() => setQuery({ as: isList ? undefined : 'list' })}>
          {isList ? 'As a picture' : 'As a list'}
        </button>
        <button
          type="button"
          onClick={() => {
            times.value += 1;
          }}
        >
          Refresh
        </button>
      </div>
      <div class="scroll">
        {isList ? <List relations={relations.value} /> : <OwnerGraphView relations={relations.value} />}
      </div>
    </>
  );
}

/** From each owner that has none itself, down to the last dependents of the object. */
function List({ relations: { self, owners, owned } }: { readonly relations: Relations }) {
  const byOwner = dependentsByOwner(owned);
  const line = new Set([self, ...owners].map(({ meta }) => meta.uid));
  const below = (related: Related): readonly Related[] => {
    const dependents = byOwner.get(related.meta.uid) ?? [];
    const isAbove = line.has(related.meta.uid) && related !== self;
    return isAbove ? [self, ...owners].filter((one) => isOwnedBy(one, related)) : dependents;
  };
  const tops = [...owners, self].filter((one) => !owners.some((owner) => isOwnedBy(one, owner)));
  return <Branch all={tops} below={below} self={self} above={[]} />;
}

interface BranchProps {
  readonly all: readonly Related[];
  readonly below: (related: Related) => readonly Related[];
  readonly self: Related;
  /** Uids on the way here: a circle ends where it closes. */
  readonly above: readonly string[];
}

function Branch({ all, below, self, above }: BranchProps) {
  const shown = all.filter(({ meta }) => !above.includes(meta.uid));
  if (shown.length === 0) return null;
  return (
    <ul class="tree">
      {shown.map((related) => (
        <li key={related.meta.uid}>
          <Leaf related={related} isSelf={related.meta.uid === self.meta.uid} />
          <Branch all={below(related)} below={below} self={self} above={[...above, related.meta.uid]} />
        </li>
      ))}
    </ul>
  );
}

function isOwnedBy({ meta }: Related, owner: Related): boolean {
  return meta.ownerReferences?.some(({ uid }) => uid === owner.meta.uid) === true;
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
