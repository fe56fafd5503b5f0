// The configurations of plugins that read manifests: WebhookAdmissionConfiguration of 1.36 and later, and those of
// admission policies, which have configurations since then.

import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ManifestPlugin } from '../../admission/manifests.ts';
import type { PluginConfiguration } from '../../admission/plugin-configuration.ts';
import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json } from '../../api/object.ts';
import type { FeatureGates } from '../../lifecycle/feature-gates.ts';
import { isSince } from '../../lifecycle/version.ts';
import { textAt } from '../../resources/value.ts';
import { fieldErrorsText } from '../access/field-errors-text.ts';
import { type ConfigurationKind, decodeConfiguration } from '../configuration-file.ts';
import { systemFault } from '../files.ts';

/** The first release with manifests. */
const SINCE = 36;
const GATE = 'ManifestBasedAdmissionControlConfig';
const MEMBER = 'staticManifestsDir';

const WEBHOOKS: ConfigurationKind = {
  kind: 'WebhookAdmissionConfiguration',
  goName: 'WebhookAdmission',
  versions: ['v1'],
  fields: { kubeConfigFile: 'string', [MEMBER]: 'string' },
};

/** What the configurations depend on. */
export interface ManifestRelease {
  /** The minor release of Kubernetes 1 that is served. */
  readonly minor: number;
  readonly gates: Pick<FeatureGates, 'enabled'>;
}

type Folder = Pick<PluginConfiguration, 'manifestFolders'>;

/**
 * The folder that the configuration of a plugin of policies names. Older releases ignore the configuration.
 * @throws Error with kube-apiserver's message
 */
export async function policyManifestsOf(
  plugin: ManifestPlugin,
  given: Json,
  release: ManifestRelease,
): Promise<Folder> {
  if (!isSince(release, SINCE)) return await folderOf(plugin, given, release);
  const kind = POLICIES.find((each) => each === textAt(given, 'kind')) ?? `${plugin}Configuration`;
  const configuration = await decoded(given, { kind, versions: ['v1'], fields: { [MEMBER]: 'string' } }, release);
  if (kind !== `${plugin}Configuration`) throw new Error(`unexpected type: *policyconfig.${kind}`);
  return await folderOf(plugin, configuration, release);
}

/** Their kinds are known together. */
const POLICIES = ['MutatingAdmissionPolicyConfiguration', 'ValidatingAdmissionPolicyConfiguration'];

/**
 * The folder that the configuration of a plugin of webhooks names, and its kubeconfig file, '' for none; undefined in
 * releases without manifests.
 * @throws Error with kube-apiserver's message
 */
export async function webhookManifestsOf(
  plugin: ManifestPlugin,
  given: Json,
  release: ManifestRelease,
): Promise<{ readonly folder: Folder; readonly kubeconfig: string | undefined }> {
  if (!isSince(release, SINCE)) return { folder: await folderOf(plugin, given, release), kubeconfig: undefined };
  const configuration = await decoded(given, WEBHOOKS, release);
  const kubeconfig = textAt(configuration, 'kubeConfigFile');
  if (kubeconfig !== '' && !isAbsolute(kubeconfig)) refuse(invalid('kubeConfigFile', kubeconfig, NOT_ABSOLUTE));
  return { folder: await folderOf(plugin, configuration, release), kubeconfig };
}

/** Errors quote it as JSON. */
async function decoded(given: Json, kind: ConfigurationKind, { minor }: ManifestRelease): Promise<Json> {
  return await decodeConfiguration(JSON.stringify(given), { ...kind, minor });
}

const NOT_ABSOLUTE = 'must be an absolute file path';
const { invalid } = fieldError;

async function folderOf(plugin: ManifestPlugin, configuration: Json, { gates }: ManifestRelease): Promise<Folder> {
  const folder = textAt(configuration, MEMBER);
  if (folder === '') return {};
  if (!gates.enabled(GATE)) {
    refuse(fieldError.forbidden(MEMBER, `${MEMBER} requires the ${GATE} feature gate to be enabled`));
  }
  if (!isAbsolute(folder)) refuse(invalid(MEMBER, folder, NOT_ABSOLUTE));
  const found = await stat(folder).catch((error: unknown) =>
    refuse(invalid(MEMBER, folder, `unable to read: ${systemFault(error)}`)),
  );
  if (!found.isDirectory()) refuse(invalid(MEMBER, folder, 'must be a directory'));
  return { manifestFolders: { [plugin]: folder } };
}

function refuse(fault: FieldError): never {
  throw new Error(fieldErrorsText([fault]));
}
