// API lifecycles: deprecated versions that are in use, what stands in stored objects of older ones, and every version
// that the cluster serves with its stage.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { objectHref } from '../browse/object-address.ts';
import { allVersions, apiVersionOf, resources } from '../cluster/discovery.ts';
import { resourceHref } from '../shell/commands.ts';
import { DataTable } from './data-table.tsx';
import {
  readDeprecatedUses,
  readRelease,
  readStorageHashes,
  type SearchProgress,
  searchOldWriters,
  storageHash,
} from './lifecycle-reading.ts';
import { type DeprecatedUse, hasReached, type ServedVersion, servedVersions, stageOf } from './lifecycles.ts';

export function LifecyclesView() {
  const release = useSignal('');
  useEffect(() => {
    void readRelease().then(
      (found) => {
        release.value = found;
      },
      () => {},
    );
  }, []);
  return (
    <>
      <div class="bar">
        <h1>API lifecycles</h1>
        {release.value !== '' && <span class="badge">Kubernetes {release.value}</span>}
      </div>
      <div class="scroll sections">
        <InUse />
        <OldWriters />
        <Versions release={release.value} />
      </div>
    </>
  );
}

function InUse() {
  const uses = useSignal<readonly DeprecatedUse[] | undefined>(undefined);
  const fault = useSignal('');
  useEffect(() => {
    void readDeprecatedUses().then(
      (found) => {
        uses.value = found;
      },
      (error: Error) => {
        fault.value = error.message;
      },
    );
  }, []);
  return (
    <section>
      <h2>Deprecated versions that clients ask for</h2>
      {fault.value !== '' && (
        <p class="notice warn" role="alert">
          Only the metrics of the server tell which versions are asked for, and they cannot be read: {fault.value} They
          need the verb get on the path /metrics.
        </p>
      )}
      {uses.value === undefined && fault.value === '' && <p class="weak">Loading…</p>}
      {uses.value !== undefined && (
        <DataTable
          label="Deprecated versions in use"
          rows={uses.value}
          rowKey={({ group, version, resource, subresource }) => [group, version, resource, subresource].join('/')}
          empty="None since this server was started."
          columns={[
            { title: 'API version', cell: ({ group, version }) => (group === '' ? version : `${group}/${version}`) },
            {
              title: 'Resource',
              cell: ({ resource, subresource }) => <strong>{[resource, subresource].filter(Boolean).join('/')}</strong>,
            },
            {
              title: 'Goes',
              cell: ({ removedIn }) =>
                removedIn === '' ? (
                  <span class="weak">not announced</span>
                ) : (
                  <span class="badge bad">in {removedIn}</span>
                ),
            },
            {
              title: 'Requests since the start',
              cell: ({ requests }) => [...requests].map(([verb, count]) => `${verb} ${count}`).join(', '),
            },
          ]}
        />
      )}
    </section>
  );
}

function OldWriters() {
  const progress = useSignal<SearchProgress | undefined>(undefined);
  const search = useRef<AbortController>(null);
  useEffect(() => () => search.current?.abort(), []);
  const isSearching = progress.value !== undefined && progress.value.kindsLeft > 0;
  const begin = (): void => {
    search.current = new AbortController();
    const { signal } = search.current;
    const tell = (found: SearchProgress): void => {
      if (!signal.aborted) progress.value = found;
    };
    void searchOldWriters({ preferred: resources.value, all: allVersions.value }, tell, signal).catch(() => {});
  };
  const stop = (): void => {
    search.current?.abort();
    progress.value = undefined;
  };
  return (
    <section>
      <h2>Clients that wrote older versions</h2>
      <p class="weak">
        The managedFields of objects name the version in which each client wrote. Looking through them reads the
        metadata of every object.
      </p>
      <p>
        <button type="button" onClick={isSearching ? stop : begin}>
          {isSearching ? 'Stop' : progress.value === undefined ? 'Check all objects' : 'Check again'}
        </button>{' '}
        {progress.value !== undefined && (
          <span class="weak" role="status">
            {progress.value.objects.toLocaleString('en')} objects
            {isSearching && `, ${progress.value.kindsLeft} kinds left`}
          </span>
        )}
      </p>
      {progress.value !== undefined && <Writers progress={progress.value} />}
    </section>
  );
}

function Writers({ progress }: { readonly progress: SearchProgress }) {
  return (
    <>
      {progress.refused.length > 0 && <p class="notice warn">Not read: {progress.refused.join('; ')}</p>}
      <DataTable
        label="Clients that wrote older versions"
        rows={progress.writers}
        rowKey={({ resource, apiVersion, manager }) => `${resource.kind} ${apiVersion} ${manager}`}
        empty={progress.kindsLeft > 0 ? 'None so far.' : 'None: every entry names the preferred version.'}
        columns={[
          { title: 'Manager', cell: ({ manager }) => <strong>{manager || 'unnamed'}</strong> },
          { title: 'Kind', cell: ({ resource }) => <a href={resourceHref(resource)}>{resource.kind}</a> },
          {
            title: 'Wrote',
            cell: ({ apiVersion, served }) => (
              <>
                {apiVersion} {!served && <span class="badge bad">no longer served</span>}
              </>
            ),
          },
          { title: 'Preferred', cell: ({ resource }) => apiVersionOf(resource) },
          { title: 'Objects', isNumber: true, cell: ({ objects }) => objects },
          {
            title: 'Such as',
            cell: ({ resource, example }) => <a href={objectHref(resource, example)}>{example.name}</a>,
          },
        ]}
      />
    </>
  );
}

function Versions({ release }: { readonly release: string }) {
  const stored = useSignal<ReadonlyMap<string, string>>(new Map());
  const hashes = useSignal<ReadonlyMap<string, string>>(new Map());
  const all = allVersions.value;
  useEffect(() => {
    void readStorageHashes(all).then(
      async (found) => {
        hashes.value = found;
        const own = await Promise.all(all.map(async (one) => [await storageHash(one), apiVersionOf(one)] as const));
        stored.value = new Map(own);
      },
      () => {},
    );
  }, [all]);
  const versions = servedVersions(all);
  const count = (stage: string): number =>
    new Set(all.filter((one) => stageOf(one.version) === stage).map(apiVersionOf)).size;
  return (
    <section>
      <h2>Served versions</h2>
      <p class="weak">
        {count('GA')} group versions are stable, {count('beta')} beta, {count('alpha')} alpha.
      </p>
      <DataTable
        label="Served versions"
        rows={versions.toSorted(byInterest(release))}
        rowKey={({ resource }) => `${apiVersionOf(resource)} ${resource.name}`}
        limit={400}
        empty="None."
        columns={[
          { title: 'API version', cell: ({ resource }) => apiVersionOf(resource) },
          { title: 'Kind', cell: ({ resource }) => <a href={resourceHref(resource)}>{resource.kind}</a> },
          { title: 'Stage', cell: ({ stage }) => <span class={`badge ${TONES[stage]}`}>{stage}</span> },
          { title: 'Lifecycle', cell: (version) => <Lifecycle version={version} release={release} /> },
          { title: 'Preferred', cell: ({ preferred }) => (preferred ? 'yes' : <span class="weak">no</span>) },
          {
            title: 'Stored as',
            cell: ({ resource }) => {
              const hash = hashes.value.get(`${apiVersionOf(resource)}/${resource.name}`) ?? '';
              if (hash === '') return <span class="weak">unknown</span>;
              return (
                <span title={`Storage version hash ${hash}`}>{stored.value.get(hash) ?? <code>{hash}</code>}</span>
              );
            },
          },
        ]}
      />
    </section>
  );
}

const TONES = { GA: 'good', beta: 'warn', alpha: 'bad' } as const;

function Lifecycle({ version: { lifecycle }, release }: { readonly version: ServedVersion; readonly release: string }) {
  if (lifecycle === undefined) return null;
  const isDeprecated = hasReached(release, lifecycle.deprecated);
  return (
    <>
      <span class={`badge ${isDeprecated ? 'warn' : ''}`}>
        {isDeprecated ? 'deprecated since' : 'to be deprecated in'} {lifecycle.deprecated}
      </span>{' '}
      {lifecycle.removed !== undefined && <span class="badge">goes in {lifecycle.removed}</span>}{' '}
      {lifecycle.replacement !== undefined && <span class="weak">use {lifecycle.replacement}</span>}
    </>
  );
}

/** What is deprecated first, then what is not stable. */
function byInterest(release: string) {
  const rank = ({ lifecycle, stage }: ServedVersion): number => {
    if (hasReached(release, lifecycle?.deprecated)) return 0;
    return { alpha: 1, beta: 2, GA: 3 }[stage];
  };
  return (a: ServedVersion, b: ServedVersion): number => rank(a) - rank(b);
}
