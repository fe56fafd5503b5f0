// The history of an object: the versions that the server still remembers and those that came while the page was open,
// and the difference between any two of them.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { Diff } from './diff.tsx';
import { withoutManagedFields } from './edit.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { managerTitle } from './ownership.ts';
import { toYaml } from './yaml-text.ts';

export function HistoryTab({ live }: { readonly live: LiveObject }) {
  const from = useSignal<string | undefined>(undefined);
  const to = useSignal<string | undefined>(undefined);
  const isKnown = live.object.value !== undefined;
  useEffect(() => void live.readHistory(), [live, isKnown]);
  const versions = live.versions.value;
  const newest = versions.find(({ metadata }) => metadata.resourceVersion === to.value) ?? versions.at(-1);
  if (newest === undefined) return null;
  const before = versions[versions.indexOf(newest) - 1];
  const oldest = versions.find(({ metadata }) => metadata.resourceVersion === from.value) ?? before;
  return (
    <div class="tab split">
      <aside aria-label="Versions">
        <ul class="versions">
          {versions.toReversed().map((version) => (
            <Version
              key={version.metadata.resourceVersion}
              version={version}
              isFrom={version === oldest}
              isTo={version === newest}
              onFrom={() => {
                from.value = version.metadata.resourceVersion;
              }}
              onTo={() => {
                to.value = version.metadata.resourceVersion;
                from.value = undefined;
              }}
            />
          ))}
        </ul>
      </aside>
      {oldest === undefined ? (
        <p class="empty">
          {live.history.value === 'asking'
            ? 'Asking the server which versions it remembers…'
            : 'The server remembers no earlier version: it keeps the writes of the last minutes, not of an object’s whole life. Versions written from now on appear here.'}
        </p>
      ) : (
        <Diff label="Difference of two versions" from={textOf(oldest)} to={textOf(newest)} />
      )}
    </div>
  );
}

interface VersionProps {
  readonly version: ApiObject;
  readonly isFrom: boolean;
  readonly isTo: boolean;
  readonly onFrom: () => void;
  readonly onTo: () => void;
}

function Version({ version, isFrom, isTo, onFrom, onTo }: VersionProps) {
  const { metadata } = version;
  const last = (metadata.managedFields ?? []).toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0];
  return (
    <li>
      <button type="button" class="plain" aria-pressed={isTo} onClick={onTo}>
        <span class="mono">{metadata.resourceVersion}</span>
        <span class="weak">
          {last === undefined ? '' : `${managerTitle(last)}, ${age(last.time ?? metadata.creationTimestamp)} ago`}
        </span>
      </button>
      {!isTo && (
        <button type="button" class="plain" aria-pressed={isFrom} onClick={onFrom}>
          compare
        </button>
      )}
    </li>
  );
}

function textOf(object: ApiObject): string {
  return toYaml(withoutManagedFields(object));
}
