// The YAML of an object: read, edited with the help of its type, shown as the difference that the server would store, and
// only then written.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Resource } from '../cluster/discovery.ts';
import { session } from '../cluster/session.ts';
import { Diff } from './diff.tsx';
import { Edit, type Problem, withoutManagedFields } from './edit.ts';
import { Editor } from './editor.tsx';
import { languageSupport, type SchemaOf } from './language-support.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { useSchema } from './use-schema.ts';
import { toYaml } from './yaml-text.ts';

export function YamlTab({ live, resource }: { readonly live: LiveObject; readonly resource: Resource }) {
  const edit = useMemo(() => new Edit(live), [live]);
  const schema = useSchema(resource);
  const current = live.object.value;
  if (current === undefined) return null;
  if (edit.proposal.value !== undefined) return <Review edit={edit} current={current} />;
  if (edit.text.value !== undefined) return <Editing edit={edit} current={current} schema={schema} />;
  return <Reading edit={edit} current={current} schema={schema} resource={resource} />;
}

interface EditingProps {
  readonly edit: Edit;
  readonly current: ApiObject;
  readonly schema: SchemaOf;
}

function Reading({ edit, current, schema, resource }: EditingProps & { readonly resource: Resource }) {
  const showsManaged = useSignal(false);
  const text = toYaml(showsManaged.value ? current : withoutManagedFields(current));
  // Documentation alone: nothing is typed here.
  const extensions = useMemo(() => languageSupport(schema).slice(-1), []);
  const mayWrite = session.value?.readOnly !== true && resource.verbs.includes('update');
  return (
    <div class="tab">
      <div class="actions">
        <button type="button" disabled={!mayWrite} onClick={() => edit.begin()}>
          Edit
        </button>
        <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={showsManaged.value}
            onChange={({ currentTarget }) => {
              showsManaged.value = currentTarget.checked;
            }}
          />
          managedFields
        </label>
      </div>
      <Editor label={`YAML of ${current.metadata.name}`} text={text} extensions={extensions} />
    </div>
  );
}

function Editing({ edit, current, schema }: EditingProps) {
  const extensions = useMemo(() => languageSupport(schema), []);
  return (
    <div class="tab">
      <div class="actions">
        <button type="button" class="primary" onClick={() => void edit.review()}>
          Review changes
        </button>
        <button type="button" onClick={() => edit.discard()}>
          Discard
        </button>
        {edit.isOvertaken && edit.problem.value === undefined && (
          <span class="overtaken" role="status">
            <span class="badge warn">changed meanwhile</span>
            <button type="button" onClick={() => edit.carryOver()}>
              Carry my edit over
            </button>
          </span>
        )}
      </div>
      {edit.problem.value !== undefined && <ProblemNotice edit={edit} problem={edit.problem.value} />}
      <Editor
        label={`YAML of ${current.metadata.name}, editing`}
        text={edit.text.value ?? ''}
        extensions={extensions}
        onChange={(changed) => {
          edit.text.value = changed;
        }}
      />
    </div>
  );
}

function Review({ edit, current }: { readonly edit: Edit; readonly current: ApiObject }) {
  const { outcome } = edit.proposal.value!;
  const { resourceVersion } = current.metadata;
  const stored = withoutManagedFields({ ...outcome, metadata: { ...outcome.metadata, resourceVersion } });
  return (
    <div class="tab">
      <div class="actions">
        <strong>What the server would store</strong>
        <span class="grow" />
        <button
          type="button"
          onClick={() => {
            edit.proposal.value = undefined;
          }}
        >
          Back to editing
        </button>
        <button type="button" class="primary" onClick={() => void edit.write()}>
          Write
        </button>
      </div>
      <Diff label="Changes" from={toYaml(withoutManagedFields(current))} to={toYaml(stored)} />
    </div>
  );
}

function ProblemNotice({ edit, problem }: { readonly edit: Edit; readonly problem: Problem }) {
  const isConflict = problem.kind === 'conflict';
  const both = isConflict ? edit.overlaps() : [];
  return (
    <div class={`notice ${isConflict ? 'warn' : 'bad'}`} role="alert">
      <p>{problem.message}</p>
      {problem.causes.length > 0 && (
        <ul>
          {problem.causes.map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
      )}
      {isConflict && (
        <p>
          {both.length === 0
            ? 'Somebody else changed other parts of the object since you began. '
            : `Somebody else changed the same fields: ${both.join(', ')}. Your values would stand. `}
          <button type="button" onClick={() => edit.carryOver()}>
            Carry my edit over
          </button>
        </p>
      )}
    </div>
  );
}
