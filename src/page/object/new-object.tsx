// New objects from YAML: written with the help of their types, tried by the server, and only then created.

import { useMemo } from 'preact/hooks';
import { objectHref } from '../browse/object-address.ts';
import { apiVersionOf, type Resource } from '../cluster/discovery.ts';
import { session } from '../cluster/session.ts';
import { place } from '../shell/router.ts';
import { type Created, Creation, skeleton } from './creation.ts';
import { withoutManagedFields } from './edit.ts';
import { Editor } from './editor.tsx';
import { languageSupport } from './language-support.ts';
import { useSchemas } from './use-schema.ts';
import { toYaml } from './yaml-text.ts';

export interface NewObjectProps {
  /** The kind to begin with; undefined where any is meant. */
  readonly resource: Resource | undefined;
}

export function NewObject({ resource }: NewObjectProps) {
  const creation = useMemo(() => {
    const namespace = place.value.query.get('ns') || 'default';
    const text =
      resource === undefined
        ? skeleton('v1', 'ConfigMap', namespace)
        : skeleton(apiVersionOf(resource), resource.kind, resource.namespaced ? namespace : undefined);
    return new Creation(text, namespace);
  }, []);
  const schemaOf = useSchemas();
  const extensions = useMemo(() => languageSupport(schemaOf), []);
  const { tried, created, fault, text } = creation;
  const isRefused = tried.value?.some(({ outcome, isLater }) => outcome === undefined && !isLater) === true;
  return (
    <>
      <div class="bar">
        <h1>New {resource?.kind ?? 'object'}</h1>
        <span class="weak">Several documents are divided by lines of ---</span>
      </div>
      <div class="tab">
        <div class="actions">
          {tried.value === undefined ? (
            <button
              type="button"
              class="primary"
              disabled={session.value?.readOnly === true}
              onClick={() => void creation.review()}
            >
              Try it
            </button>
          ) : (
            <>
              <button type="button" class="primary" disabled={isRefused} onClick={() => void creation.create()}>
                Create
              </button>
              <button
                type="button"
                onClick={() => {
                  tried.value = undefined;
                }}
              >
                Back to editing
              </button>
            </>
          )}
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

function Tried({ tried }: { readonly tried: readonly Created[] }) {
  const text = tried
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
      {text !== '' && <Editor label="What the server would store" text={text} />}
    </>
  );
}

function Done({ created }: { readonly created: readonly Created[] }) {
  return (
    <div class="notice" role="status">
      <ul>
        {created.map(({ title, resource, outcome, message }, at) => (
          <li key={`${at} ${title}`}>
            {resource === undefined || outcome === undefined ? (
              `${title}: ${message}`
            ) : (
              <>
                Created {outcome.kind} <a href={objectHref(resource, outcome.metadata)}>{outcome.metadata.name}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
