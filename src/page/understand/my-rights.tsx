// What the user of the console may do: all rights in a namespace, and the check of one of them.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askJson } from '../cluster/cluster-api.ts';
import { place } from '../shell/router.ts';
import { AccessForm, questionOf } from './access-form.tsx';
import { DataTable } from './data-table.tsx';
import { type NonResourceRule, pathsOf, type ResourceRule, rightsOf } from './rights.ts';
import type { AccessQuestion } from './who-may.ts';

interface RulesStatus {
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
  readonly incomplete?: boolean;
  readonly evaluationError?: string;
}

interface AccessStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

const REVIEWS = '/apis/authorization.k8s.io/v1/';
const me = signal<{ readonly username?: string; readonly groups?: readonly string[] } | undefined>(undefined);

export function MyRights() {
  const namespace = place.value.query.get('ns') || 'default';
  const rules = useSignal<RulesStatus | undefined>(undefined);
  const fault = useSignal('');
  useEffect(() => {
    rules.value = undefined;
    fault.value = '';
    void review<RulesStatus>('selfsubjectrulesreviews', 'SelfSubjectRulesReview', { namespace }).then(
      (status) => {
        rules.value = status;
      },
      (error: Error) => {
        fault.value = error.message;
      },
    );
  }, [namespace]);
  useEffect(() => void readSelf(), []);
  return (
    <div class="scroll sections">
      {me.value !== undefined && (
        <p>
          You are <strong>{me.value.username}</strong>
          <span class="weak">, of the groups {me.value.groups?.join(', ')}.</span>
        </p>
      )}
      <section>
        <h2>One request</h2>
        <AccessForm />
        <Check question={questionOf(place.value.query)} />
      </section>
      <section>
        <h2>All rights in the namespace {namespace}</h2>
        {fault.value !== '' && (
          <p class="notice bad" role="alert">
            {fault.value}
          </p>
        )}
        {rules.value !== undefined && <Rights rules={rules.value} />}
      </section>
    </div>
  );
}

function Check({ question }: { readonly question: AccessQuestion | undefined }) {
  const found = useSignal<AccessStatus | undefined>(undefined);
  const fault = useSignal('');
  const key = JSON.stringify(question);
  useEffect(() => {
    found.value = undefined;
    fault.value = '';
    if (question === undefined) return undefined;
    let isLate = false;
    void review<AccessStatus>('selfsubjectaccessreviews', 'SelfSubjectAccessReview', attributesOf(question)).then(
      (status) => {
        if (!isLate) found.value = status;
      },
      (error: Error) => {
        if (!isLate) fault.value = error.message;
      },
    );
    return () => {
      isLate = true;
    };
  }, [key]);
  if (question === undefined) return <p class="weak">Name a resource, or a path such as /metrics.</p>;
  if (fault.value !== '') return <p class="notice bad">{fault.value}</p>;
  if (found.value === undefined) return <p class="weak">Asking…</p>;
  const { allowed, reason = '', evaluationError = '' } = found.value;
  return (
    <p class={`notice ${allowed ? 'good' : 'bad'}`} role="status">
      <strong>{allowed ? 'Yes.' : 'No.'}</strong> {reason || (allowed ? '' : 'Nothing allows it.')}{' '}
      {evaluationError !== '' && <span class="weak">{evaluationError}</span>}
    </p>
  );
}

function Rights({ rules }: { readonly rules: RulesStatus }) {
  const paths = pathsOf(rules.nonResourceRules ?? []);
  return (
    <>
      {(rules.incomplete === true || (rules.evaluationError ?? '') !== '') && (
        <p class="notice warn">
          The list is not complete: an authorizer cannot list what it allows. {rules.evaluationError}
        </p>
      )}
      <DataTable
        label="Resources"
        rows={rightsOf(rules.resourceRules ?? [])}
        rowKey={({ group, resource, names }) => `${group}/${resource} ${names}`}
        empty="No resource."
        columns={[
          { title: 'API group', cell: ({ group }) => (group === '' ? <span class="weak">core</span> : group) },
          { title: 'Resource', cell: ({ resource }) => <strong>{resource}</strong> },
          { title: 'Verbs', cell: ({ verbs }) => <Verbs verbs={verbs} /> },
          { title: 'Only these', cell: ({ names }) => names.join(', ') },
        ]}
      />
      <DataTable
        label="Paths"
        rows={paths}
        rowKey={({ path }) => path}
        empty="No path."
        columns={[
          { title: 'Path', cell: ({ path }) => <code>{path}</code> },
          { title: 'Verbs', cell: ({ verbs }) => <Verbs verbs={verbs} /> },
        ]}
      />
    </>
  );
}

function Verbs({ verbs }: { readonly verbs: readonly string[] }) {
  return (
    <span class="codes">
      {verbs.map((verb) => (
        <span key={verb} class={`badge ${verb === '*' ? 'warn' : ''}`}>
          {verb === '*' ? 'all verbs' : verb}
        </span>
      ))}
    </span>
  );
}

function attributesOf(question: AccessQuestion): object {
  const { verb, path, group, resource, subresource, name, namespace } = question;
  if (!question.isResourceRequest) return { nonResourceAttributes: { verb, path } };
  return { resourceAttributes: { verb, group, resource, subresource, name, namespace } };
}

async function review<Status>(resource: string, kind: string, spec: object): Promise<Status> {
  const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec };
  return (await askJson<{ status: Status }>(`${REVIEWS}${resource}`, { method: 'POST', body })).status;
}

/** Who the server takes the console for; one that does not say so is not asked again. */
async function readSelf(): Promise<void> {
  if (me.value !== undefined) return;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    me.value = (await askJson<{ status: { userInfo: object } }>(path, { method: 'POST', body })).status.userInfo;
  } catch {
    me.value = undefined;
  }
}
