// Matching of requests by the rules of FlowSchemas: one must match both the user and the request.

import type { FlowNonResourceRule, FlowResourceRule, FlowRule, FlowSchemaSpec, FlowSubject } from './configuration.ts';
import type { FlowRequest } from './flow-request.ts';

type Matcher = (request: FlowRequest) => boolean;

/** Compiles the rules of a schema, which are evaluated for every request. */
export function requestMatcher({ rules = [] }: FlowSchemaSpec): Matcher {
  return anyOf(rules.map(ruleMatcher));
}

function anyOf(matchers: readonly Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  return (request) => {
    for (const matches of matchers) if (matches(request)) return true;
    return false;
  };
}

function ruleMatcher({ subjects, resourceRules = [], nonResourceRules = [] }: FlowRule): Matcher {
  const subject = anyOf(subjects.map(subjectMatcher));
  const resource = anyOf(resourceRules.map(resourceMatcher));
  const path = anyOf(nonResourceRules.map(pathMatcher));
  return (request) => subject(request) && (request.isResource ? resource(request) : path(request));
}

function subjectMatcher({ kind, user, group, serviceAccount }: FlowSubject): Matcher {
  if (kind === 'User' && user !== undefined) {
    return user.name === '*' ? always : (request) => request.user.name === user.name;
  }
  if (kind === 'Group' && group !== undefined) {
    return group.name === '*' ? always : (request) => request.user.groups.includes(group.name);
  }
  if (kind === 'ServiceAccount' && serviceAccount !== undefined) {
    const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
    if (serviceAccount.name === '*') return (request) => request.user.name.startsWith(prefix);
    return (request) => request.user.name === prefix + serviceAccount.name;
  }
  return () => false;
}

function resourceMatcher(rule: FlowResourceRule): Matcher {
  const verb = oneOf(rule.verbs);
  const group = oneOf(rule.apiGroups);
  const resource = oneOf(rule.resources);
  const namespace = oneOf(rule.namespaces ?? []);
  const { clusterScope = false } = rule;
  return (request) =>
    verb(request.verb) &&
    resource(request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`) &&
    group(request.group) &&
    (request.namespace === '' ? clusterScope : namespace(request.namespace));
}

function pathMatcher({ verbs, nonResourceURLs }: FlowNonResourceRule): Matcher {
  const verb = oneOf(verbs);
  const path = anyOf(
    nonResourceURLs.map((url) => {
      if (url === '*') return always;
      // A trailing * matches everything below, and so does a path without one.
      const stem = url.endsWith('*') ? url.slice(0, -1) : url;
      const prefix = stem.endsWith('/') ? stem : `${stem}/`;
      return (request) => request.path === url || request.path.startsWith(prefix);
    }),
  );
  return (request) => verb(request.verb) && path(request);
}

/** `*` counts only if it is alone. */
function oneOf(values: readonly string[]): (value: string) => boolean {
  if (values.length === 1) {
    const [only] = values;
    return only === '*' ? () => true : (value) => value === only;
  }
  const members = new Set(values);
  return (value) => members.has(value);
}

function always(): boolean {
  return true;
}
