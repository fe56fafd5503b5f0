// Names of images as container runtimes report them: with the registry, and by a digest. No image is ever fetched: its
// digest and size are derived from its name, so that they are always the same.

import { createHash } from 'node:crypto';

interface PulledImage {
  /** `docker.io/library/nginx:1.27` */
  readonly name: string;
  /** `docker.io/library/nginx@sha256:…` */
  readonly id: string;
  readonly sizeBytes: number;
}

const SMALLEST_BYTES = 2_000_000;
const SIZE_RANGE_BYTES = 200_000_000;

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
  const tagged = withTag(image);
  const slash = tagged.indexOf('/');
  const first = tagged.slice(0, Math.max(slash, 0));
  if (slash < 0) return `docker.io/library/${tagged}`;
  return /[.:]/.test(first) || first === 'localhost' ? tagged : `docker.io/${tagged}`;
}
