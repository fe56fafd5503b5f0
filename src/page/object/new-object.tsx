// New objects from YAML, or changes of those that exist: written with the help of their types or taken from files, tried
// by the server, and only then created or applied.

import { useEffect, useMemo } from 'preact/hooks';
import { objectHref } from '../browse/object-address.ts';
import { apiVersionOf, type Resource } from '../cluster/discovery.ts';
import { session } from '../cluster/session.ts';
import { droppedText, takeFiles } from '../shell/dropped-files.ts';
import { place } from '../shell/router.ts';
import { type Created, Creation, skeleton } from './creation.ts';
import { Diff } from './diff.tsx';
import { withoutManagedFields } from './edit.ts';
import { Editor } from './editor.tsx';
import { exampleOf } from './example.ts';
import { languageSupport } from './language-support.ts';
import { kindSchema } from './schema.ts';
import { useSchemas } from './use-schema.ts';
import { toYaml } from './yaml-text.ts';

export interface NewObjectProps {
  /** The kind to begin with; undefined where any is meant. */
  readonly resource: Resource | undefined;
}

export function NewObject({ resource }: NewObjectProps) {
  const creation = useCreation(resource);
  const schemaOf = useSchemas();
  const extensions = useMemo(() => languageSupport(schemaOf), []);
  const { tried, created, fault, text } = creation;
  return (
    <>
      <div class="bar">
        <h1>New {resource?.kind ?? 'object'}</h1>
        <span class="weak">Several documents are divided by lines of ---; files may be dropped here.</span>
      </div>
      <div class="tab">
        <div class="actions">
          {tried.value === undefined ? <EditActions creation={creation} /> : <ReviewActions creation={creation} />}
        </div>
        {fault.value !== '' && (
          <div class="notice bad" role="alert">
            <p>{fault.value}</p>
          </div>
        )}
        {created.value.length > 0 && tried.value === undefined && <Done created={created.value} />}
        {tried.value === undefined ? (
          <Editor
            label="YAML of new objects"
            text={text.value}
            extensions={extensions}
            onChange={(changed) => {
              text.value = changed;
            }}
          />
        ) : (
          <Tried tried={tried.value} />
        )}
      </div>
    </>
  );
}

/** Begins with an example of the kind, once its type is known, and takes the files that are dropped. */
function useCreation(resource: Resource | undefined): Creation {
  const creation = useMemo(() => {
    const namespace = place.value.query.get('ns')?.split(',')[0] || 'default';
    if (resource === undefined) return new Creation(skeleton('v1', 'ConfigMap', namespace), namespace);
    const names = {
      ...{ apiVersion: apiVersionOf(resource), kind: resource.kind },
      namespace: resource.namespaced ? namespace : undefined,
    };
    const begun = new Creation(skeleton(names.apiVersion, names.kind, names.namespace), namespace);
    // Without a type the names are all that is known.
    void kindSchema(resource).then(
      (type) => type !== undefined && begun.beginWith(exampleOf(type, names)),
      () => undefined,
    );
    return begun;
  }, []);
  useEffect(() => {
    if (droppedText.value === undefined) return;
    creation.add(droppedText.value);
    droppedText.value = undefined;
  }, [droppedText.value]);
  return creation;
}

function EditActions({ creation }: { readonly creation: Creation }) {
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={session.value?.readOnly === true}
        onClick={() => void creation.review()}
      >
        Dry run
      </button>
      <label class="button">
        Files…
        <input
          type="file"
          class="visually-hidden"
          multiple
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => void takeFiles(currentTarget.files ?? [])}
        />
      </label>
    </>
  );
}

function ReviewActions({ creation }: { readonly creation: Creation }) {
  const { tried, force } = creation;
  const all = tried.value ?? [];
  const isRefused = all.some(({ outcome, isLater }) => outcome === undefined && !isLater);
  const isConflict = all.some(({ isConflict: conflicts }) => conflicts);
  return (
    <>
      <button type="button" class="primary" disabled={isRefused} onClick={() => void creation.create()}>
        {all.some(({ existing }) => existing !== undefined) ? 'Apply' : 'Create'}
      </button>
      <button
        type="button"
        onClick={() => {
          tried.value = undefined;
        }}
      >
        Back to editing
      </button>
      {(isConflict || force.value) && (
        <label class="check">
          <input
            type="checkbox"
            checked={force.value}
            onChange={({ currentTarget }) => {
              force.value = currentTarget.checked;
              void creation.review();
            }}
          />
          Take over fields of other managers
        </label>
      )}
    </>
  );
}

function Tried({ tried }: { readonly tried: readonly Created[] }) {
  const fresh = tried.filter(({ existing }) => existing === undefined);
  const text = fresh
    .flatMap(({ outcome }) => (outcome === undefined ? [] : [toYaml(withoutManagedFields(outcome))]))
    .join('---\n');
  return (
    <>
      {tried
        .filter(({ outcome }) => outcome === undefined)
        .map(({ title, message, isLater }, at) => (
          <div key={`${at} ${title}`} class={`notice ${isLater ? '' : 'bad'}`} role="alert">
            <p>{isLater ? `${title} can be tried when its namespace is there.` : `${title}: ${message}`}</p>
          </div>
        ))}
      {tried.map((one, at) => (
        <Changed key={`${at} ${one.title}`} one={one} />
      ))}
      {text !== '' && <Editor label="What the server would store" text={text} />}
    </>
  );
}

/** What an apply would change of an object that exists. */
function Changed({ one: { title, existing, outcome } }: { readonly one: Created }) {
  if (existing === undefined || outcome === undefined) return null;
  const { resourceVersion, generation } = existing.metadata;
  const metadata = { ...outcome.metadata, resourceVersion, ...(generation !== undefined && { generation }) };
  const [from, to] = [existing, { ...outcome, metadata }].map((object) => toYaml(withoutManagedFields(object)));
  return (
    <>
      <h2 class="padded">
        {title} {from === to && <span class="weak">stays as it is</span>}
      </h2>
      {from !== to && <Diff label={`Changes of ${title}`} from={from!} to={to!} />}
    </>
  );
}

function Done({ created }: { readonly created: readonly Created[] }) {
  return (
    <div class="notice" role="status">
      <ul>
        {created.map(({ title, resource, outcome, existing, message }, at) => (
          <li key={`${at} ${title}`}>
            {resource === undefined || outcome === undefined ? (
              `${title}: ${message}`
            ) : (
              <>
                {existing === undefined ? 'Created' : 'Applied'} {outcome.kind}{' '}
                <a href={objectHref(resource, outcome.metadata)}>{outcome.metadata.name}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
