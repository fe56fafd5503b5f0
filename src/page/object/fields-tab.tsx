// Field ownership of an object: its YAML, each line in the colour of the manager that owns it.

import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { withoutManagedFields } from './edit.ts';
import { Editor } from './editor.tsx';
import type { ApiObject, LiveObject } from './live-object.ts';
import { managerTitle, type OwnedPath, ownedPaths } from './ownership.ts';
import { parseYaml, rangeOf, toYaml } from './yaml-text.ts';

/** Colours that can be told apart; managers beyond them share. */
const COLOURS = 8;

export function FieldsTab({ live }: { readonly live: LiveObject }) {
  const object = live.object.value;
  const only = useSignal<number | undefined>(undefined);
  if (object === undefined) return null;
  const managers = object.metadata.managedFields ?? [];
  if (managers.length === 0) return <p class="empty">The server keeps no field ownership for this object.</p>;
  return (
    <div class="tab split">
      <aside aria-label="Managers">
        <ul class="managers">
          {managers.map((entry, at) => (
            <li key={`${managerTitle(entry)} ${at}`}>
              <button
                type="button"
                class="plain"
                aria-pressed={only.value === at}
                onClick={() => {
                  only.value = only.value === at ? undefined : at;
                }}
              >
                <span class={`swatch owner-${at % COLOURS}`} />
                <span>
                  {managerTitle(entry)}
                  <br />
                  <span class="weak">{entry.time === undefined ? '' : `${age(entry.time)} ago`}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </aside>
      <Coloured key={`${object.metadata.resourceVersion} ${only.value}`} object={object} only={only.value} />
    </div>
  );
}

function Coloured({ object, only }: { readonly object: ApiObject; readonly only: number | undefined }) {
  const text = toYaml(withoutManagedFields(object));
  const extensions = useMemo(() => [EditorView.decorations.of(decorations(text, ownedPaths(object), only))], []);
  return <Editor label={`Field ownership of ${object.metadata.name}`} text={text} extensions={extensions} />;
}

function decorations(text: string, owned: readonly OwnedPath[], only: number | undefined): DecorationSet {
  const parsed = parseYaml(text);
  const lines = new Map<number, readonly number[]>();
  for (const { path, owners } of owned) {
    if (only !== undefined && !owners.includes(only)) continue;
    const start = text.lastIndexOf('\n', rangeOf(parsed, path).from - 1) + 1;
    lines.set(start, owners);
  }
  const builder = new RangeSetBuilder<Decoration>();
  for (const [start, owners] of [...lines].sort(([a], [b]) => a - b)) {
    const shown = only ?? owners[0]!;
    const shared = owners.length > 1 ? ' shared' : '';
    builder.add(start, start, Decoration.line({ class: `owned owner-${shown % COLOURS}${shared}` }));
  }
  return builder.finish();
}
