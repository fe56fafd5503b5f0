// The entries of a ConfigMap or a Secret: names and sizes; values of Secrets are shown only when asked for.

import { useSignal } from '@preact/signals';
import { DataTable } from '../understand/data-table.tsx';
import { WideContent } from '../understand/wide-content.tsx';
import { type DataEntry, entriesOfData } from './data-entries.ts';

export function DataSection({ kind, object }: { readonly kind: string; readonly object: unknown }) {
  const entries = entriesOfData(kind, object);
  const isSecret = kind === '/secrets';
  if (entries === undefined) return null;
  return (
    <section>
      <h2>Data</h2>
      <DataTable
        label="Data"
        rows={entries}
        rowKey={({ name }) => name}
        empty="No entries."
        columns={[
          { title: 'Key', cell: ({ name }) => <code>{name}</code> },
          { title: 'Bytes', isNumber: true, cell: ({ bytes }) => bytes.toLocaleString('en') },
          { title: 'Value', isProse: true, cell: (entry) => <Value entry={entry} isHidden={isSecret} /> },
        ]}
      />
    </section>
  );
}

function Value({ entry: { name, text }, isHidden }: { readonly entry: DataEntry; readonly isHidden: boolean }) {
  const isShown = useSignal(!isHidden);
  if (text === undefined) return <span class="weak">not text</span>;
  return (
    <>
      {isHidden && (
        <button
          type="button"
          aria-label={`${isShown.value ? 'Hide' : 'Show'} ${name}`}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {isShown.value ? 'Hide' : 'Show'}
        </button>
      )}
      {isShown.value && (
        <WideContent label={`Value of ${name}`}>
          <pre class="data-value">{text}</pre>
        </WideContent>
      )}
    </>
  );
}
