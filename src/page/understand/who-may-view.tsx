// Who may do something: every user, group and service account, with the binding and the rule that decide it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { qualified } from '../../api/group-version.ts';
import type { PolicyRule } from '../../api/policy-rule.ts';
import type { Binding, RoleRef, Subject } from '../../api/role-binding.ts';
import { objectHref } from '../browse/object-address.ts';
import { resourceOfKind } from '../cluster/discovery.ts';
import { place } from '../shell/router.ts';
import { AccessForm, questionOf, rbacResource } from './access-form.tsx';
import { DataTable } from './data-table.tsx';
import { readRbac } from './rbac-objects.ts';
import { type AccessQuestion, type Permission, type RbacObjects, whoMay } from './who-may.ts';

export function WhoMay() {
  const objects = useSignal<RbacObjects | undefined>(undefined);
  const fault = useSignal('');
  const question = questionOf(place.value.query);
  const key = JSON.stringify(question);
  useEffect(() => {
    if (question === undefined) return undefined;
    const aborted = new AbortController();
    // Read anew for each question: a cached answer about rights is a wrong one.
    void readRbac(aborted.signal).then(
      (found) => {
        objects.value = found;
        fault.value = '';
      },
      (error: Error) => {
        if (!aborted.signal.aborted) fault.value = error.message;
      },
    );
    return () => aborted.abort();
  }, [key]);
  return (
    <div class="scroll sections">
      <AccessForm />
      {question === undefined && <p class="weak">Name a resource, or a path such as /metrics.</p>}
      {fault.value !== '' && (
        <p class="notice bad" role="alert">
          Roles and bindings have to be read to answer this. {fault.value}
        </p>
      )}
      {question !== undefined && objects.value !== undefined && fault.value === '' && (
        <Answer question={question} objects={objects.value} />
      )}
    </div>
  );
}

function Answer({ question, objects }: { readonly question: AccessQuestion; readonly objects: RbacObjects }) {
  const { permissions, dangling } = whoMay(question, objects);
  return (
    <>
      <p class="notice">
        By RBAC. Members of the group <code>system:masters</code> may do everything, without a rule; other authorizers
        of the server (Node, webhooks) may allow more.
      </p>
      <section>
        <h2>
          {permissions.length === 0
            ? 'Nobody else'
            : `${permissions.length} ${permissions.length === 1 ? 'way' : 'ways'}`}{' '}
          to {textOf(question)}
        </h2>
        <DataTable
          label="Who may do it"
          rows={permissions}
          rowKey={({ subject, binding, within }) => JSON.stringify([subject, binding.name, within])}
          empty="No binding gives anybody a role that allows it."
          columns={[
            { title: 'Who', cell: ({ subject }) => <Who subject={subject} /> },
            { title: 'Where', cell: (permission) => <Where permission={permission} asked={question} /> },
            { title: 'Binding', cell: ({ binding }) => <BindingLink binding={binding} /> },
            { title: 'Role', cell: ({ binding }) => <RoleLink of={binding} /> },
            { title: 'Rule', cell: ({ rule }) => <Rule rule={rule} /> },
          ]}
        />
      </section>
      {dangling.length > 0 && (
        <section>
          <h2>Bindings to roles that do not exist</h2>
          <DataTable
            label="Bindings to roles that do not exist"
            rows={dangling}
            rowKey={({ name, namespace }) => `${namespace}/${name}`}
            empty=""
            columns={[
              { title: 'Binding', cell: (binding) => <BindingLink binding={binding} /> },
              { title: 'Role', cell: ({ roleRef }) => `${roleRef.kind} ${roleRef.name}` },
            ]}
          />
        </section>
      )}
    </>
  );
}

function textOf({
  verb,
  isResourceRequest,
  path,
  group,
  resource,
  subresource,
  name,
  namespace,
}: AccessQuestion): string {
  if (!isResourceRequest) return `${verb} ${path}`;
  const what = [qualified(resource, group), subresource].filter(Boolean).join('/');
  return `${verb} ${what}${name === '' ? '' : ` ${name}`}${namespace === '' ? '' : ` in ${namespace}`}`;
}

function Who({ subject }: { readonly subject: Subject }) {
  const { kind, name, namespace } = subject;
  const resource = kind === 'ServiceAccount' ? resourceOfKind('v1', 'ServiceAccount') : undefined;
  return (
    <>
      <span class="badge">{{ User: 'user', Group: 'group', ServiceAccount: 'service account' }[kind]}</span>{' '}
      {resource === undefined ? (
        <strong>{name}</strong>
      ) : (
        <a href={objectHref(resource, { namespace, name })}>{name}</a>
      )}
      {kind === 'ServiceAccount' && <span class="weak place">in {namespace}</span>}
    </>
  );
}

function Where({ permission, asked }: { readonly permission: Permission; readonly asked: AccessQuestion }) {
  const { within, names } = permission;
  return (
    <>
      {within === '' ? (asked.isNamespaced ? 'everywhere' : 'in the cluster') : `in ${within}`}
      {names.length > 0 && <span class="badge warn">only {names.join(', ')}</span>}
    </>
  );
}

function BindingLink({ binding: { name, namespace } }: { readonly binding: Binding }) {
  const resource = rbacResource(namespace === '' ? 'clusterrolebindings' : 'rolebindings');
  return resource === undefined ? name : <a href={objectHref(resource, { namespace, name })}>{name}</a>;
}

function RoleLink({ of }: { readonly of: { readonly roleRef: RoleRef; readonly namespace: string } }) {
  const { kind, name } = of.roleRef;
  const isCluster = kind === 'ClusterRole';
  const resource = rbacResource(isCluster ? 'clusterroles' : 'roles');
  if (resource === undefined) return name;
  return <a href={objectHref(resource, { namespace: isCluster ? '' : of.namespace, name })}>{name}</a>;
}

function Rule({ rule }: { readonly rule: PolicyRule }) {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const groups = apiGroups.map((group) => (group === '' ? 'core' : group)).join(', ');
  return (
    <code class="rule">
      {verbs.join(', ')} ·{' '}
      {nonResourceURLs.length > 0 ? nonResourceURLs.join(', ') : `${resources.join(', ')} of ${groups}`}
      {resourceNames.length > 0 && ` · ${resourceNames.join(', ')}`}
    </code>
  );
}
