// Names of images as container runtimes report them: with the registry, and by a digest. No image is ever fetched: its
// digest and size are derived from its name, so that they are always the same.

import { createHash } from 'node:crypto';
import { lookup } from '../../base/lookup.ts';

interface PulledImage {
  /** `docker.io/library/nginx:1.27` */
  readonly name: string;
  /** `docker.io/library/nginx@sha256:…` */
  readonly id: string;
  readonly sizeBytes: number;
}

const SMALLEST_BYTES = 2_000_000;
const SIZE_RANGE_BYTES = 200_000_000;

const DEFAULT_DOMAIN = 'docker.io';
const MAX_REPOSITORY_LENGTH = 255;

// The grammar of github.com/distribution/reference, in parts: as one expression it would be long and slow.
const DOMAIN_PART = /^[a-zA-Z0-9-]+$/;
const ADDRESS = /^\[[a-fA-F0-9:]+\]$/;
const PORT = /^[0-9]+$/;
const PATH_PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

const DIGEST_LENGTHS = lookup({ sha256: 64, sha384: 96, sha512: 128 });

/** What a runtime has after pulling an image. */
export function pulledImage(image: string): PulledImage {
  const name = fullName(image);
  const digest = createHash('sha256').update(name).digest();
  const at = name.indexOf('@');
  const repository = at >= 0 ? name.slice(0, at) : name.slice(0, name.lastIndexOf(':'));
  const id = at >= 0 ? name : `${repository}@sha256:${digest.toString('hex')}`;
  return { name, id, sizeBytes: SMALLEST_BYTES + (digest.readUInt32BE(0) % SIZE_RANGE_BYTES) };
}

/** With the tag `latest` if there is neither tag nor digest, as in events. */
export function withTag(image: string): string {
  const isComplete = image.includes('@') || image.lastIndexOf(':') > image.lastIndexOf('/');
  return isComplete ? image : `${image}:latest`;
}

/** `docker.io/library/nginx:1.27` */
export function fullName(image: string): string {
  const { domain, rest } = split(withTag(image));
  return `${domain}/${rest}`;
}

/** Why a name is none of an image, as the kubelet says it. */
export function imageNameFault(image: string): string | undefined {
  const fault = referenceFault(image);
  return fault === undefined ? undefined : `couldn't parse image name "${image}": ${fault}`;
}

function referenceFault(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const { domain, rest } = split(image);
  const repository = rest.split(':', 1)[0]!;
  if (repository !== repository.toLowerCase()) {
    return `invalid reference format: repository name (${repository}) must be lowercase`;
  }
  const [named = '', digest, ...others] = rest.split('@');
  const [path = '', tag, ...more] = named.split(':');
  const isValid =
    [...others, ...more].length === 0 &&
    isDomain(domain) &&
    path.split('/').every((part) => PATH_PART.test(part)) &&
    (tag === undefined || TAG.test(tag)) &&
    (digest === undefined || DIGEST.test(digest));
  if (!isValid) return 'invalid reference format';
  if (path.length > MAX_REPOSITORY_LENGTH) {
    return `repository name must not be more than ${MAX_REPOSITORY_LENGTH} characters`;
  }
  return digestFault(digest);
}

/** A name or an address, maybe with a port. */
function isDomain(domain: string): boolean {
  const colon = domain.lastIndexOf(':');
  const hasPort = colon > domain.lastIndexOf(']');
  const host = hasPort ? domain.slice(0, colon) : domain;
  if (hasPort && !PORT.test(domain.slice(colon + 1))) return false;
  return ADDRESS.test(host) || host.split('.').every((part) => DOMAIN_PART.test(part) && !/^-|-$/.test(part));
}

function digestFault(digest: string | undefined): string | undefined {
  if (digest === undefined) return;
  const [algorithm, encoded] = digest.split(':') as [string, string];
  const length = DIGEST_LENGTHS[algorithm];
  if (length === undefined) return 'unsupported digest algorithm';
  if (encoded.length !== length) return 'invalid checksum digest length';
  return /[A-F]/.test(encoded) ? 'invalid checksum digest format' : undefined;
}

/** A name without a registry is one of Docker Hub's. */
function split(image: string): { readonly domain: string; readonly rest: string } {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain = first === 'localhost' || /[.:A-Z]/.test(first);
  const domain = hasDomain && first !== 'index.docker.io' ? first : DEFAULT_DOMAIN;
  const rest = hasDomain ? image.slice(slash + 1) : image;
  return { domain, rest: domain === DEFAULT_DOMAIN && !rest.includes('/') ? `library/${rest}` : rest };
}
