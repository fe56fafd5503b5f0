// Validation of volumes with files from API objects: Secrets, ConfigMaps, downward API, tokens, and ephemeral claims.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { subdomainFaults } from '../../../../api/names.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { remembering } from '../../../../base/resumed.ts';
import { isOwnSigner, validateSignerName } from '../../../validation/hosts.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { validateLabelSelector } from '../../../validation/label-selector.ts';
import {
  validateFieldReference,
  validateOwnPath,
  validateResourceReference,
} from '../../../validation/pod-references.ts';
import { validateTemplateMetadata } from '../../../validation/template-metadata.ts';
import { validateClaimSpec } from '../persistent-volume-claim/validation.ts';
import { validatePullPolicy } from '../pod/validation-containers.ts';
import type {
  ClusterTrustBundleProjection,
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  ImageVolumeSource,
  KeyToPath,
  PodCertificateProjection,
  ProjectedVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from './objects.ts';
import type { SourceRule, SourceRules } from './source-rule.ts';

const MODE_MESSAGE = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Pod fields that can be projected as files. */
const FIELDS: readonly string[] = Object.freeze([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]);

function validateMode(mode: number | undefined, field: string): FieldErrors {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return NONE;
  return [fieldError.invalid(field, mode, MODE_MESSAGE)];
}

function validateRequiredText<M extends string>(
  source: { readonly [Member in M]?: string },
  member: M,
  field: string,
): FieldErrors {
  return (source[member] ?? '') === '' ? [fieldError.required(`${field}.${member}`)] : NONE;
}

/** Keys that are projected as files. */
function validateItems(source: { readonly items?: readonly KeyToPath[] }, field: string): FieldErrors {
  return ofItems(source.items ?? [], (item, index) => {
    const here = `${field}.items[${index}]`;
    return joined(
      validateRequiredText(item, 'key', here),
      validateRequiredText(item, 'path', here),
      validateOwnPath(item.path ?? '', `${here}.path`),
      validateMode(item.mode, `${here}.mode`),
    );
  });
}

type ObjectFiles = Pick<SecretVolumeSource & ConfigMapVolumeSource, 'items' | 'defaultMode'>;

function objectFiles<M extends 'secretName' | 'name'>(
  nameMember: M,
): SourceRule<ObjectFiles & { readonly [Name in M]?: string }> {
  return (source, field) =>
    joined(
      validateRequiredText(source, nameMember, field),
      validateMode(source.defaultMode, `${field}.defaultMode`),
      validateItems(source, field),
    );
}

/** A file of the downward API; errors are reported for the list, not for its item. */
function validateDownwardFile(file: DownwardAPIVolumeFile, field: string): FieldErrors {
  return joined(
    validateRequiredText(file, 'path', field),
    validateOwnPath(file.path ?? '', `${field}.path`),
    validateReference(file, field),
    validateMode(file.mode, `${field}.mode`),
  );
}

function validateReference({ fieldRef, resourceFieldRef }: DownwardAPIVolumeFile, field: string): FieldErrors {
  if (fieldRef !== undefined) {
    const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
    return joined(
      validateFieldReference(fieldRef, FIELDS, `${field}.fieldRef`),
      resourceFieldRef !== undefined ? [fieldError.invalid(field, 'resource', why)] : NONE,
    );
  }
  if (resourceFieldRef !== undefined) {
    return validateResourceReference(resourceFieldRef, true, `${field}.resourceFieldRef`);
  }
  return [fieldError.required(field, 'one of fieldRef and resourceFieldRef is required')];
}

const downwardFiles: SourceRule<DownwardAPIVolumeSource> = (source, field) =>
  joined(
    validateMode(source.defaultMode, `${field}.defaultMode`),
    ofItems(source.items ?? [], (file) => validateDownwardFile(file, field)),
  );

const PROJECTIONS = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

const projected: SourceRule<ProjectedVolumeSource> = (source, field) => {
  return joined(
    validateMode(source.defaultMode, `${field}.defaultMode`),
    remembering(
      () => new Set<string>(),
      (paths) =>
        ofItems(source.sources ?? [], (each, index) => {
          const here = `${field}.sources[${index}]`;
          const named = PROJECTIONS.filter((name) => each[name] !== undefined);
          const many = 'may not specify more than 1 volume type per source';
          return joined(
            ofItems(named, (name) => validateProjection(name, each, { here, field, paths })),
            named.length > 1 ? [fieldError.forbidden(here, many)] : NONE,
          );
        }),
    ),
  );
};

interface ProjectionPlace {
  /** The path of the source and of the volume: some errors are reported for one, some for the other. */
  readonly here: string;
  readonly field: string;
  /** The files so far. */
  readonly paths: Set<string>;
}

function validateProjection(
  name: (typeof PROJECTIONS)[number],
  projection: VolumeProjection,
  place: ProjectionPlace,
): FieldErrors {
  const { here, field } = place;
  const at = `${here}.${name}`;
  switch (name) {
    case 'secret':
    case 'configMap': {
      const source = projection[name] ?? {};
      return joined(
        validateRequiredText(source, 'name', at),
        validateItems(source, at),
        ofItems(source.items, ({ path = '' }) => take(path, source.name ?? '', place)),
      );
    }
    case 'downwardAPI': {
      const { items } = projection.downwardAPI ?? {};
      return joined(
        ofItems(items, (file) => validateDownwardFile(file, at)),
        ofItems(items, ({ path = '' }) => take(path, path, place)),
      );
    }
    case 'serviceAccountToken':
      return validateToken(projection.serviceAccountToken ?? {}, at, field);
    case 'clusterTrustBundle': {
      const source = projection.clusterTrustBundle ?? {};
      return joined(validateTrustBundle(source, at), takeAny(source.path ?? '', place));
    }
    case 'podCertificate':
      return validatePodCertificate(projection.podCertificate ?? {}, at, place);
  }
}

/** Adds a file; `value` is in the message if it already exists. */
function take(path: string, value: string, place: ProjectionPlace): FieldErrors {
  return path === '' ? NONE : takeAny(path, place, value);
}

/** Like `take`, but counts a missing path too. */
function takeAny(path: string, { field, paths }: ProjectionPlace, value = path): FieldErrors {
  if (paths.has(path)) return [fieldError.invalid(field, value, 'conflicting duplicate paths')];
  paths.add(path);
  return NONE;
}

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

function validateToken(source: ServiceAccountTokenProjection, field: string, volume: string): FieldErrors {
  const path = source.path ?? '';
  return joined(
    validateTokenSeconds(source.expirationSeconds ?? MIN_TOKEN_SECONDS, `${field}.expirationSeconds`),
    path === ''
      ? [fieldError.required(`${volume}.path`)]
      : keepable('token path', validateOwnPath(path, `${volume}.path`)),
  );
}

function validateTokenSeconds(seconds: number | bigint, field: string): FieldErrors {
  if (Number(seconds) < MIN_TOKEN_SECONDS) {
    return [fieldError.invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  }
  if (Number(seconds) > MAX_TOKEN_SECONDS) {
    return [fieldError.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  }
  return NONE;
}

/** By its name, or all bundles of a signer that match a selector. */
function validateTrustBundle(source: ClusterTrustBundleProjection, field: string): FieldError[] {
  const found: FieldError[] = [];
  const { name, signerName, labelSelector } = source;
  if (name !== undefined && signerName !== undefined) {
    found.push(fieldError.invalid(field, source, 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    if (name === '') found.push(fieldError.required(`${field}.name`, 'must be a valid object name'));
    for (const fault of bundleNameFaults(name)) {
      found.push(fieldError.invalid(`${field}.name`, name, `not a valid clustertrustbundlename: ${fault}`));
    }
    if (labelSelector !== undefined) {
      const why = 'labelSelector must be unset if name is specified';
      found.push(fieldError.invalid(`${field}.labelSelector`, labelSelector, why));
    }
  } else if (signerName !== undefined) {
    if (signerName === '') found.push(fieldError.required(`${field}.signerName`, 'must be a valid signer name'));
    found.push(...validateSignerName(signerName, `${field}.signerName`));
    if (labelSelector !== undefined) found.push(...validateLabelSelector(labelSelector, `${field}.labelSelector`));
  } else found.push(fieldError.required(field, 'either name or signerName must be specified'));
  found.push(...validateRequiredText(source, 'path', field));
  return [...found, ...validateOwnPath(source.path ?? '', `${field}.path`)];
}

/** The name of a signer's bundle contains the signer's name: `example.com:signer:name`. */
function bundleNameFaults(name: string): readonly string[] {
  const end = name.lastIndexOf(':');
  if (end === 0) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  return subdomainFaults(name.slice(end + 1));
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;
const HOUR_SECONDS = 3600;
/** Maximum lifetimes for Kubernetes' own signers, and for all others. */
const OWN_MOST_SECONDS = 24 * HOUR_SECONDS;
const MAX_CERTIFICATE_SECONDS = 91 * 24 * HOUR_SECONDS;

function validatePodCertificate(source: PodCertificateProjection, field: string, place: ProjectionPlace): FieldError[] {
  const keyType = source.keyType ?? '';
  const signer = source.signerName ?? '';
  const found = [...validateSignerName(signer, `${field}.signerName`)];
  if (!KEY_TYPES.includes(keyType)) found.push(fieldError.notSupported(`${field}.keyType`, keyType, KEY_TYPES));
  found.push(...validateLifetime(source.maxExpirationSeconds, signer, `${field}.maxExpirationSeconds`));
  const members = CERTIFICATE_PATHS.filter((member) => (source[member] ?? '') !== '');
  for (const member of members) {
    const path = source[member] ?? '';
    found.push(...validateOwnPath(path, `${field}.${member}`), ...takeAny(path, place));
  }
  if (members.length > 0) return found;
  const why = 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath';
  return [...found, fieldError.required(field, why)];
}

function validateLifetime(seconds: number | bigint | undefined, signer: string, field: string): FieldError[] {
  if (seconds === undefined) return [];
  const most = isOwnSigner(signer) ? OWN_MOST_SECONDS : MAX_CERTIFICATE_SECONDS;
  const found: FieldError[] = [];
  const refuse = (bound: string) =>
    found.push(fieldError.invalid(field, seconds, `if provided, maxExpirationSeconds must be ${bound}`));
  if (Number(seconds) < HOUR_SECONDS) refuse(`>= ${HOUR_SECONDS}`);
  if (Number(seconds) > most) refuse(`<= ${most}`);
  return found;
}

const ephemeral: SourceRule<EphemeralVolumeSource> = (source, field, { hasAttributes }) => {
  const template = source.volumeClaimTemplate;
  const here = `${field}.volumeClaimTemplate`;
  if (template === undefined) return [fieldError.required(here)];
  const found = validateTemplateMetadata(template.metadata, `${here}.metadata`);
  const spec = hasAttributes ? template.spec : { ...template.spec, volumeAttributesClassName: '' };
  return [...found, ...validateClaimSpec(spec, `${here}.spec`)];
};

/** With the sticky bit. */
const MOST_OF_DIRECTORIES = 0o1777;

const emptyDir: SourceRule<EmptyDirVolumeSource> = (source, field) => {
  const { sizeLimit = '', mode = 0 } = source;
  const found = sizeLimit.startsWith('-')
    ? [fieldError.forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
    : [];
  if (mode >= 0 && mode <= MOST_OF_DIRECTORIES) return found;
  const why = 'must be a number between 0 and 01777 (octal), both inclusive';
  return [...found, fieldError.invalid(`${field}.mode`, mode, why)];
};

const image: SourceRule<ImageVolumeSource> = (source, field, { isPod }) => [
  ...(isPod ? validateRequiredText(source, 'reference', field) : []),
  ...validatePullPolicy(source.pullPolicy ?? '', `${field}.pullPolicy`),
];

/** Rules by source name. */
export const fileSources = {
  emptyDir,
  secret: objectFiles('secretName'),
  configMap: objectFiles('name'),
  downwardAPI: downwardFiles,
  projected,
  persistentVolumeClaim: (source, field) => validateRequiredText(source, 'claimName', field),
  ephemeral,
  image,
} satisfies Partial<SourceRules>;
