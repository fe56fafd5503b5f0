// AdmissionConfiguration of apiserver.config.k8s.io/v1: the configuration of admission plugins, with kube-apiserver's
// error messages. Loaded only if a flag names a file or enables a plugin that needs one.

import { dirname, isAbsolute, join } from 'node:path';
import { EventCounts, type EventLimit, type EventLimitType } from '../admission/event-counts.ts';
import type { EventRates } from '../admission/event-rate-limit.ts';
import type { ManifestPlugin } from '../admission/manifests.ts';
import { NO_CONFIGURATION, type PluginConfiguration } from '../admission/plugin-configuration.ts';
import type { PluginName } from '../admission/plugin-names.ts';
import type { PodSecurityConfiguration } from '../admission/pod-security/configuration.ts';
import { LEVELS, type LevelVersion, levelIn, minorIn } from '../admission/pod-security/policy.ts';
import type { LimitedResource } from '../admission/quota/limited-resources.ts';
import { scopeRequirement } from '../admission/quota/quota-check.ts';
import { type FieldError, fieldError } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { labelFaults, subdomainFaults } from '../api/names.ts';
import { notAnObject } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { errorList } from '../base/error-list.ts';
import { goQuote } from '../base/go-quote.ts';
import { lookup } from '../base/lookup.ts';
import type { Soon } from '../base/soon.ts';
import type { WebhookUsers } from '../outbound/webhook-call.ts';
import { entriesAt, listAt, numberAt, textAt } from '../resources/value.ts';
import { fieldErrorsText } from './access/field-errors-text.ts';
import { imagePolicyOf, type WebhookPluginNeeds, webhookUsersOf } from './access/webhook-plugins.ts';
import { readText } from './files.ts';
import { type ManifestRelease, policyManifestsOf, webhookManifestsOf } from './manifests/manifest-configuration.ts';
import type { Team } from './threads/team.ts';

const GROUP = 'apiserver.config.k8s.io';
const KIND = 'AdmissionConfiguration';
/** The older version had another group. */
const VERSIONS: readonly string[] = [`${GROUP}/v1`, 'apiserver.k8s.io/v1alpha1'];
/** Plugins whose configuration may be the whole file, as before the kind existed. */
const UNVERSIONED: Readonly<Record<string, string>> = lookup({
  imagePolicy: 'ImagePolicyWebhook',
  podNodeSelectorPluginConfig: 'PodNodeSelector',
});

/** For calling webhooks, the release whose configurations are read, and the serving threads that count events together. */
export interface PluginConfigurationNeeds extends WebhookPluginNeeds {
  readonly release: ManifestRelease;
  readonly team: Pick<Team, 'eventCounter' | 'countEventsBy'> | undefined;
}

/**
 * @param path the file; undefined for none
 * @param enabled the enabled plugins: the configuration of others is not read
 * @throws Error whose message names the plugin and the field
 */
export async function readPluginConfiguration(
  path: string | undefined,
  enabled: ReadonlySet<PluginName>,
  needs: PluginConfigurationNeeds,
): Promise<PluginConfiguration> {
  const given = path === undefined ? {} : await readFile(path);
  let configuration = NO_CONFIGURATION;
  for (const [name, read] of Object.entries(READERS)) {
    if (!enabled.has(name as PluginName)) continue;
    try {
      const own = await read(given[name], needs);
      const manifestFolders = { ...configuration.manifestFolders, ...own.manifestFolders };
      configuration = { ...configuration, ...own, manifestFolders };
    } catch (error) {
      const failed = error instanceof InitializationError ? 'failed to initialize' : "couldn't init";
      const { message } = error as Error;
      throw new Error(`failed to apply admission: ${failed} admission plugin ${goQuote(name)}: ${message}`);
    }
  }
  return configuration;
}

/** A configuration that can be parsed but is invalid for its plugin. */
class InitializationError extends Error {}

/** The configuration of each plugin. */
type Given = Readonly<Record<string, Json | undefined>>;

async function readFile(path: string): Promise<Given> {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    throw failed(`unable to read admission control configuration from ${goQuote(path)} [${(error as Error).message}]`);
  }
  const value = await parse(text);
  if (value !== null && !isObject(value)) throw failed(notAnObject(value));
  const [apiVersion, kind] = [textAt(value, 'apiVersion'), textAt(value, 'kind')];
  const isKnown = kind === KIND && VERSIONS.includes(apiVersion);
  if (isKnown) return pluginsIn(value, dirname(path));
  const whole = isObject(value) ? Object.keys(UNVERSIONED).filter((member) => value[member] !== undefined) : [];
  if (whole.length > 0) return { ImagePolicyWebhook: value, PodNodeSelector: value };
  if (kind === '') throw failed(`Object 'Kind' is missing in '${text.slice(0, 200)}'`);
  throw failed(unregisteredKind(kind, apiVersion));
}

function failed(why: string): Error {
  return new Error(`failed to apply admission: failed to read plugin config: ${why}`);
}

async function parse(text: string): Promise<Json> {
  try {
    const { value, duplicates } = await parseYaml(text);
    if (duplicates.length > 0) throw failed(`strict decoding error: ${duplicates.join(', ')}`);
    return value;
  } catch (error) {
    if (error instanceof YamlError) throw failed(error.message);
    throw error;
  }
}

async function pluginsIn(value: Json, folder: string): Promise<Given> {
  const unknown = unknownMembers(value, ['apiVersion', 'kind', 'plugins']);
  const plugins = listAt(value, 'plugins');
  for (const [index, plugin] of plugins.entries()) {
    unknown.push(
      ...unknownMembers(plugin, ['name', 'path', 'configuration']).map((name) => `plugins[${index}].${name}`),
    );
  }
  if (unknown.length > 0) {
    throw failed(`strict decoding error: ${unknown.map((field) => `unknown field ${goQuote(field)}`).join(', ')}`);
  }
  const given: Record<string, Json> = {};
  // The first configuration of a plugin counts.
  for (const plugin of plugins.toReversed()) {
    const [name, path] = [textAt(plugin, 'name'), textAt(plugin, 'path')];
    const inline = isObject(plugin) ? plugin['configuration'] : undefined;
    if (inline !== undefined && inline !== null) given[name] = inline;
    else if (path !== '') given[name] = await parse(readText(isAbsolute(path) ? path : join(folder, path)));
  }
  return given;
}

function unknownMembers(value: Json, known: readonly string[]): string[] {
  return isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
}

type Read = (given: Json | undefined, needs: PluginConfigurationNeeds) => Soon<Partial<PluginConfiguration>>;

const READERS: Readonly<Partial<Record<PluginName, Read>>> = {
  ImagePolicyWebhook: imagePolicyOf,
  MutatingAdmissionPolicy: policies('MutatingAdmissionPolicy'),
  MutatingAdmissionWebhook: webhooks('MutatingAdmissionWebhook', (mutatingWebhookUsers) => ({ mutatingWebhookUsers })),
  ValidatingAdmissionPolicy: policies('ValidatingAdmissionPolicy'),
  ValidatingAdmissionWebhook: webhooks('ValidatingAdmissionWebhook', (validatingWebhookUsers) => ({
    validatingWebhookUsers,
  })),
  EventRateLimit: (given, needs) => ({ eventRates: eventRates(eventLimits(given), needs) }),
  PodSecurity: (given) => (given === undefined ? {} : { podSecurity: podSecurityOf(given) }),
  ResourceQuota: (given) => (given === undefined ? {} : { limitedResources: limitedResources(given) }),
  PodNodeSelector: (given) => ({ nodeSelectors: nodeSelectors(given) }),
  PodTolerationRestriction: (given) => (given === undefined ? {} : { tolerations: tolerations(given) }),
};

function policies(plugin: ManifestPlugin): Read {
  return (given, { release }) => (given === undefined ? {} : policyManifestsOf(plugin, given, release));
}

function webhooks(plugin: ManifestPlugin, usersOf: (users: WebhookUsers) => Partial<PluginConfiguration>): Read {
  return async (given, { release }) => {
    if (given === undefined) return {};
    const { folder, kubeconfig } = await webhookManifestsOf(plugin, given, release);
    if (kubeconfig === '') return folder;
    const users = kubeconfig === undefined ? await oldWebhookUsers(given) : await webhookUsersOf(given);
    return { ...folder, ...usersOf(users) };
  };
}

/** In releases without manifests. */
function oldWebhookUsers(given: Json): Promise<WebhookUsers> {
  const isOld = textAt(given, 'kind') === 'WebhookAdmission';
  const kind = isOld ? 'WebhookAdmission' : 'WebhookAdmissionConfiguration';
  checkKind(given, { group: GROUP, versions: [isOld ? 'v1alpha1' : 'v1'], kind });
  return webhookUsersOf(given);
}

function checkKind(given: Json, { group, versions, kind }: { group: string; versions: string[]; kind: string }): void {
  const [apiVersion, found] = [textAt(given, 'apiVersion'), textAt(given, 'kind')];
  if (found === '') throw new Error(`Object 'Kind' is missing in '${JSON.stringify(given)}'`);
  if (apiVersion === '') throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(given)}'`);
  if (found === kind && versions.some((version) => apiVersion === `${group}/${version}`)) return;
  throw new Error(unregisteredKind(found, apiVersion));
}

function throwFaults(found: readonly FieldError[]): void {
  if (found.length > 0) throw new Error(fieldErrorsText(found));
}

/** Fields of a configuration, those of nested objects with a dot. */
type Members = readonly string[];

const MODES = ['enforce', 'audit', 'warn'].flatMap((mode) => [`defaults.${mode}`, `defaults.${mode}-version`]);
const POD_SECURITY_MEMBERS: Members = [
  ...['apiVersion', 'kind', 'defaults', 'exemptions', ...MODES],
  ...['usernames', 'namespaces', 'runtimeClasses'].map((exempt) => `exemptions.${exempt}`),
];

function checkMembers(given: Json, members: Members): void {
  const unknown = unknownMembers(given, members);
  for (const [name, value] of isObject(given) ? Object.entries(given) : []) {
    const inner = members.filter((member) => member.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1));
    if (inner.length === 0) continue;
    const places = Array.isArray(value)
      ? value.map((each, index) => [`${name}[${index}]`, each] as const)
      : [[name, value] as const];
    for (const [path, object] of places) {
      unknown.push(...unknownMembers(object ?? null, inner).map((each) => `${path}.${each}`));
    }
  }
  if (unknown.length === 0) return;
  throw new Error(`strict decoding error: ${unknown.map((field) => `unknown field ${goQuote(field)}`).join(', ')}`);
}

const LIMIT_TYPES: readonly EventLimitType[] = ['Namespace', 'Server', 'SourceAndObject', 'User'];
/** Default cache size of a limit, as in Kubernetes. */
const CACHE_SIZE = 4096;

/** The leading thread counts the events of all threads. */
function eventRates(limits: readonly EventLimit[], { clock, team }: PluginConfigurationNeeds): EventRates {
  const types = limits.map(({ type }) => type);
  if (team?.eventCounter !== undefined) return { types, counter: team.eventCounter };
  const counter = new EventCounts(limits, clock);
  team?.countEventsBy(counter);
  return { types, counter };
}

function eventLimits(given: Json | undefined): EventLimit[] {
  if (given !== undefined) {
    checkKind(given, { group: 'eventratelimit.admission.k8s.io', versions: ['v1alpha1'], kind: 'Configuration' });
  }
  const limits = listAt(given, 'limits');
  if (limits.length === 0)
    throwFaults([
      fieldError.invalid('limits', isObject(given) && Array.isArray(given['limits']) ? [] : null, 'must not be empty'),
    ]);
  throwFaults(limits.flatMap((limit, index) => limitFaults(limit, `limits[${index}]`)));
  return limits.map((limit) => ({
    type: textAt(limit, 'type') as EventLimitType,
    qps: numberAt(limit, 'qps'),
    burst: numberAt(limit, 'burst'),
    cacheSize: numberAt(limit, 'cacheSize') || CACHE_SIZE,
  }));
}

function limitFaults(limit: Json, path: string): FieldError[] {
  const found: FieldError[] = [];
  const type = textAt(limit, 'type');
  if (!LIMIT_TYPES.some((each) => each === type))
    found.push(fieldError.notSupported(`${path}.type`, type, LIMIT_TYPES));
  for (const member of ['burst', 'qps']) {
    const count = numberAt(limit, member);
    if (count <= 0) found.push(fieldError.invalid(`${path}.${member}`, count, 'must be positive'));
  }
  const size = numberAt(limit, 'cacheSize');
  if (type !== 'Server' && size < 0) {
    found.push(fieldError.invalid(`${path}.cacheSize`, size, 'must not be negative'));
  }
  return found;
}

function podSecurityOf(given: Json): PodSecurityConfiguration {
  const group = 'pod-security.admission.config.k8s.io';
  checkKind(given, { group, versions: ['v1', 'v1beta1', 'v1alpha1'], kind: 'PodSecurityConfiguration' });
  checkMembers(given, POD_SECURITY_MEMBERS);
  const faults: string[] = [];
  const mode = (name: string): LevelVersion => {
    const level = textAt(given, 'defaults', name) || 'privileged';
    const version = textAt(given, 'defaults', `${name}-version`) || 'latest';
    const [read, minor] = [levelIn(level), minorIn(version)];
    if (read === undefined) faults.push(`${name}: must be one of ${LEVELS.join(', ')}`);
    if (minor === undefined) faults.push(`${name}-version: must be "latest" or "v1.x"`);
    return { level: read ?? 'restricted', minor: minor ?? Number.POSITIVE_INFINITY };
  };
  const [enforce, audit, warn] = [mode('enforce'), mode('audit'), mode('warn')];
  if (faults.length > 0) throw new InitializationError(`PodSecurity configuration error: ${errorList(faults)}`);
  const found: FieldError[] = [];
  const exempt = (member: string, faultsOf: (name: string) => readonly string[]): string[] => {
    const names = listAt(given, 'exemptions', member).map(String);
    for (const [index, name] of names.entries()) {
      const path = `exemptions.${member}[${index}]`;
      const faults = faultsOf(name);
      if (faults.length > 0) found.push(fieldError.invalid(path, name, faults.join(', ')));
      else if (names.indexOf(name) < index) found.push(fieldError.duplicate(path, name));
    }
    return names;
  };
  const namespaces = exempt('namespaces', labelFaults);
  const runtimeClasses = exempt('runtimeClasses', subdomainFaults);
  const usernames = exempt('usernames', (name) => (name === '' ? ['username must not be empty'] : []));
  if (found.length > 0) throw new InitializationError(`PodSecurity invalid: ${fieldErrorsText(found)}`);
  return { defaults: { enforce, warn, audit }, exemptions: { namespaces, runtimeClasses, usernames } };
}

const QUOTA_MEMBERS: Members = [
  ...['apiVersion', 'kind', 'limitedResources'],
  ...['apiGroup', 'resource', 'matchContains', 'matchScopes'].map((member) => `limitedResources.${member}`),
];

function limitedResources(given: Json): LimitedResource[] {
  const isOld = textAt(given, 'kind') === 'Configuration';
  checkKind(given, {
    group: isOld ? 'resourcequota.admission.k8s.io' : GROUP,
    versions: isOld ? ['v1alpha1', 'v1beta1'] : ['v1'],
    kind: isOld ? 'Configuration' : 'ResourceQuotaConfiguration',
  });
  checkMembers(given, QUOTA_MEMBERS);
  const limited = listAt(given, 'limitedResources').map((each) => ({
    apiGroup: textAt(each, 'apiGroup'),
    resource: textAt(each, 'resource'),
    matchContains: listAt(each, 'matchContains').map(String),
    matchScopes: listAt(each, 'matchScopes').map(scopeRequirement),
  }));
  throwFaults(
    limited.flatMap(({ resource }, index) =>
      resource === '' ? [fieldError.required(`limitedResources[${index}].resource`, '')] : [],
    ),
  );
  return limited;
}

function nodeSelectors(given: Json | undefined): Record<string, string> {
  const entries = entriesAt(given, 'podNodeSelectorPluginConfig').map(([name, text]) => [name, String(text)]);
  return Object.fromEntries(entries);
}

function tolerations(given: Json): PluginConfiguration['tolerations'] {
  const group = 'podtolerationrestriction.admission.k8s.io';
  checkKind(given, { group, versions: ['v1alpha1'], kind: 'Configuration' });
  const list = (member: string): JsonObject[] => listAt(given, member).filter(isObject);
  return { defaults: list('default'), allowed: list('whitelist') };
}
