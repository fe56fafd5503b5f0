// Parser for audit policy files, with kube-apiserver's errors.

import { type FieldError, fieldError, fieldErrorBody } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { JsonError, parseJson, unreadableJson } from '../api/json-reader.ts';
import { subdomainFaults } from '../api/names.ts';
import { notAnObject, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { goQuote } from '../base/go-quote.ts';
import { isSince } from '../lifecycle/version.ts';
import { Policy as PolicyType } from '../resources/builtin/audit/v1.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import { LEVELS, type Level, STAGES, type Stage } from './level.ts';
import type { AuditRule, GroupResources, Policy } from './policy.ts';

/** An unusable policy; the message is one line for the operator. */
export class PolicyError extends Error {
  override name = 'PolicyError';
}

interface PolicyReading {
  readonly policy: Policy;
  /** Unknown and duplicate fields, which are only warnings; '' for none. */
  readonly warning: string;
}

const GROUP = 'audit.k8s.io';
const API_VERSION = `${GROUP}/v1`;

/** The release that reads a policy. */
interface PolicyRelease {
  /** Of Kubernetes 1; the one served by default if undefined. */
  readonly minor?: number;
}

/** The first minor release of Kubernetes 1 in which a rule can be for all groups. */
const FIRST_WITH_ALL_GROUPS = 36;

/** @param text YAML or JSON. @throws PolicyError */
export async function readPolicy(text: string, release: PolicyRelease = {}): Promise<PolicyReading> {
  const { value, duplicates } = await parse(text);
  checkKind(value);
  const { value: decoded, unknown } = decode(value);
  const faults = [...duplicates, ...unknown.map((path) => `unknown field ${goQuote(path)}`)];
  const found = policyFaults(decoded, release);
  if (found.length > 0) {
    const texts = found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
    throw new PolicyError(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  }
  const policy = policyOf(decoded);
  if (policy.rules.length === 0) throw new PolicyError('loaded illegal policy with 0 rules');
  return { policy, warning: faults.length === 0 ? '' : `strict decoding error: ${faults.join(', ')}` };
}

async function parse(text: string) {
  try {
    // Text that begins like JSON is not parsed as anything else.
    if (/^\s*\{/.test(text)) parseJson(text);
    return await parseYaml(text);
  } catch (error) {
    if (error instanceof JsonError) throw new PolicyError(`failed decoding: ${unreadableJson(error)}`);
    if (error instanceof YamlError) throw new PolicyError(`failed decoding: ${error.message}`);
    throw error;
  }
}

/** Other kinds of the API version. */
const OTHER_KINDS = ['Event', 'EventList', 'PolicyList'];

/** The kind is optional, with the default Policy. @throws PolicyError */
function checkKind(value: Json): void {
  if (value !== null && !isObject(value)) throw new PolicyError(`failed decoding: ${notAnObject(value)}`);
  const untyped = isObject(value) ? unreadableTypeMeta(value as JsonObject) : undefined;
  if (untyped !== undefined) throw new PolicyError(`failed decoding: ${untyped}`);
  const [apiVersion, kind] = [textAt(value, 'apiVersion'), textAt(value, 'kind') || 'Policy'];
  // Without a version, kube-apiserver assumes its internal one, which it cannot decode.
  if (apiVersion === '') {
    throw new PolicyError(`unknown group version field ${GROUP}/__internal, Kind=Policy in policy`);
  }
  if (apiVersion.split('/').length > 2) {
    throw new PolicyError(`failed decoding: unexpected GroupVersion string: ${apiVersion}`);
  }
  if (apiVersion === API_VERSION && OTHER_KINDS.includes(kind)) {
    throw new PolicyError(`failed decoding: converting (v1.${kind}) to (audit.Policy): unknown conversion`);
  }
  if (apiVersion !== API_VERSION || kind !== 'Policy') {
    throw new PolicyError(`failed decoding: ${unregisteredKind(kind, apiVersion)}`);
  }
}

function decode(value: Json): { value: JsonObject; unknown: readonly string[] } {
  try {
    const decoded = decodeObject(PolicyType, value);
    return { value: decoded.value as JsonObject, unknown: decoded.unknown };
  } catch (error) {
    if (error instanceof DecodeError) throw new PolicyError(`failed decoding: ${error.message}`);
    throw error;
  }
}

function policyFaults(policy: JsonObject, release: PolicyRelease): FieldError[] {
  return [
    ...stageFaults(listAt(policy, 'omitStages'), 'omitStages'),
    ...listAt(policy, 'rules').flatMap((rule, index) => ruleFaults(rule, `rules[${index}]`, release)),
  ];
}

function ruleFaults(rule: Json, path: string, release: PolicyRelease): FieldError[] {
  const urls = listAt(rule, 'nonResourceURLs');
  const found = [
    ...levelFaults(textAt(rule, 'level'), `${path}.level`),
    ...urlFaults(urls, `${path}.nonResourceURLs`),
    ...listAt(rule, 'resources').flatMap((each) => resourceFaults(each, `${path}.resources`, release)),
    ...stageFaults(listAt(rule, 'omitStages'), `${path}.omitStages`),
  ];
  const isOfResources = listAt(rule, 'resources').length > 0 || listAt(rule, 'namespaces').length > 0;
  if (urls.length > 0 && isOfResources) {
    const why = 'rules cannot apply to both regular resources and non-resource URLs';
    found.push(fieldError.invalid(`${path}.nonResourceURLs`, urls, why));
  }
  return found;
}

function levelFaults(level: string, path: string): FieldError[] {
  if (level === '') return [fieldError.required(path)];
  return isLevel(level) ? [] : [fieldError.notSupported(path, level, LEVELS)];
}

function isLevel(level: string): level is Level {
  return (LEVELS as readonly string[]).includes(level);
}

function urlFaults(urls: readonly Json[], path: string): FieldError[] {
  return urls.flatMap((each, index) => {
    const url = String(each);
    if (url === '*') return [];
    const found: FieldError[] = [];
    if (!url.startsWith('/')) {
      const why = "non-resource URL rules must begin with a '/' character";
      found.push(fieldError.invalid(`${path}[${index}]`, url, why));
    }
    if (url.slice(0, -1).includes('*')) {
      const why = "non-resource URL wildcards '*' must be the final character of the rule";
      found.push(fieldError.invalid(`${path}[${index}]`, url, why));
    }
    return found;
  });
}

function resourceFaults(resources: Json, path: string, release: PolicyRelease): FieldError[] {
  const group = textAt(resources, 'group');
  const found: FieldError[] = [];
  const isAll = group === '*' && isSince(release, FIRST_WITH_ALL_GROUPS);
  const faults = group === '' || isAll ? [] : subdomainFaults(group);
  if (faults.length > 0) found.push(fieldError.invalid(`${path}.group`, group, faults.join(',')));
  const names = listAt(resources, 'resourceNames');
  if (names.length > 0 && listAt(resources, 'resources').length === 0) {
    found.push(
      fieldError.invalid(`${path}.resourceNames`, names, 'using resourceNames requires at least one resource'),
    );
  }
  return found;
}

function stageFaults(stages: readonly Json[], path: string): FieldError[] {
  return stages.flatMap((stage, index) =>
    (STAGES as readonly Json[]).includes(stage)
      ? []
      : [fieldError.invalid(`${path}[${index}]`, stage, `allowed stages are ${STAGES.join(',')}`)],
  );
}

function policyOf(value: JsonObject): Policy {
  return {
    rules: listAt(value, 'rules').filter(isObject).map(ruleOf),
    omitStages: listAt(value, 'omitStages') as Stage[],
    omitManagedFields: at(value, 'omitManagedFields') === true,
  };
}

function ruleOf(rule: JsonObject): AuditRule {
  const texts = (name: string) => listAt(rule, name) as string[];
  return {
    level: textAt(rule, 'level') as Level,
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    resources: listAt(rule, 'resources').map(groupResources),
    namespaces: texts('namespaces'),
    nonResourceURLs: texts('nonResourceURLs'),
    omitStages: texts('omitStages') as Stage[],
    omitManagedFields: typeof rule['omitManagedFields'] === 'boolean' ? rule['omitManagedFields'] : undefined,
  };
}

function groupResources(value: Json): GroupResources {
  return {
    group: textAt(value, 'group'),
    resources: listAt(value, 'resources') as string[],
    resourceNames: listAt(value, 'resourceNames') as string[],
  };
}
