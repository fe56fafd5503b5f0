// Server-side apply: the YAML of the fields that the console is to own, and what is to become of those that others own.

import { useMemo } from 'preact/hooks';
import type { Resource } from '../cluster/discovery.ts';
import { session } from '../cluster/session.ts';
import { WideContent } from '../understand/wide-content.tsx';
import { Apply, type Decision, FIELD_MANAGER, type FieldConflict } from './apply.ts';
import { Diff } from './diff.tsx';
import { withoutManagedFields } from './edit.ts';
import { Editor } from './editor.tsx';
import { languageSupport } from './language-support.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { useSchema } from './use-schema.ts';
import { toYaml } from './yaml-text.ts';

export function ApplyTab({ live, resource }: { readonly live: LiveObject; readonly resource: Resource }) {
  const apply = useMemo(() => new Apply(live), [live]);
  const schema = useSchema(resource);
  const current = live.object.value;
  if (current === undefined) return null;
  if (apply.proposal.value !== undefined) return <Review apply={apply} current={current} />;
  return <Writing apply={apply} current={current} extensions={() => languageSupport(schema, { isPartial: true })} />;
}

interface WritingProps {
  readonly apply: Apply;
  readonly current: ApiObject;
  readonly extensions: () => ReturnType<typeof languageSupport>;
}

function Writing({ apply, current, extensions }: WritingProps) {
  const help = useMemo(extensions, []);
  const problem = apply.problem.value;
  const mayWrite = session.value?.readOnly !== true;
  return (
    <div class="tab">
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!mayWrite || apply.isUndecided}
          onClick={() => void apply.review()}
        >
          Review
        </button>
        <button type="button" onClick={() => apply.begin()}>
          Start over
        </button>
        <span class="weak">
          Write the fields that <code>{FIELD_MANAGER}</code> is to own. Those it owned before and that are missing here
          are given up.
        </span>
      </div>
      {problem !== undefined && (
        <div class="notice bad" role="alert">
          <p>{problem.message}</p>
        </div>
      )}
      {apply.conflicts.value.length > 0 && <Conflicts apply={apply} conflicts={apply.conflicts.value} />}
      <Editor
        label={`Fields of ${current.metadata.name} to apply`}
        text={apply.text.value}
        extensions={help}
        onChange={(text) => text !== apply.text.value && apply.edit(text)}
      />
    </div>
  );
}

const CHOICES: Readonly<Record<Decision, string>> = { leave: 'Leave it out', take: 'Take it over' };

function Conflicts({ apply, conflicts }: { readonly apply: Apply; readonly conflicts: readonly FieldConflict[] }) {
  return (
    <div class="notice warn" role="alert">
      <p>Other managers own some of these fields and set them otherwise. What shall become of each?</p>
      <WideContent label="Conflicts">
        <table class="plain-table conflicts">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Owner</th>
              <th scope="col">Decision</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, owners, decision }) => (
              <tr key={field}>
                <td class="mono">{field}</td>
                <td>{owners.join(', ')}</td>
                <td>
                  {(Object.keys(CHOICES) as Decision[]).map((choice) => (
                    <label key={choice} class="check">
                      <input
                        type="radio"
                        name={`decision ${field}`}
                        checked={decision === choice}
                        onChange={() => apply.decide(field, choice)}
                      />
                      {CHOICES[choice]}
                    </label>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideContent>
    </div>
  );
}

function Review({ apply, current }: { readonly apply: Apply; readonly current: ApiObject }) {
  const { outcome, force } = apply.proposal.value!;
  const { resourceVersion } = current.metadata;
  const stored = withoutManagedFields({ ...outcome, metadata: { ...outcome.metadata, resourceVersion } });
  return (
    <div class="tab">
      <div class="actions">
        <strong>What the server would store</strong>
        {force && <span class="badge warn">takes fields over</span>}
        <span class="grow" />
        <button
          type="button"
          onClick={() => {
            apply.proposal.value = undefined;
          }}
        >
          Back
        </button>
        <button type="button" class="primary" onClick={() => void apply.write()}>
          Apply
        </button>
      </div>
      <Diff label="Changes" from={toYaml(withoutManagedFields(current))} to={toYaml(stored)} />
    </div>
  );
}
