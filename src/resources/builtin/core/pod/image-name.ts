// Default pull policy of a container image, derived from its name.

import { lookup } from '../../../../base/lookup.ts';

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DOMAIN_COMPONENT = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const HOST = `(?:${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*|\\[[0-9a-fA-F:]+\\])`;
/** The grammar of image references: domain and port, path, tag, digest. */
const REFERENCE = new RegExp(
  `^${HOST}(?::[0-9]+)?/(${COMPONENT}(?:/${COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);
/** Maximum length of the path, which follows the domain. */
const MAX_PATH = 255;
/** A longer text cannot be a valid reference. */
const MAX_REFERENCE = 1024;
/** A bare identifier is not a name. */
const IDENTIFIER = /^[0-9a-f]{64}$/;
/** Number of hexadecimal digits in a digest, by algorithm. */
const DIGITS: Readonly<Record<string, number>> = lookup({ sha256: 64, sha384: 96, sha512: 128 });

/**
 * `Always` for the tag latest, and if there is neither tag nor digest; `IfNotPresent` for everything else, including
 * invalid names.
 */
export function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const parts = image.length > MAX_REFERENCE || IDENTIFIER.test(image) ? null : REFERENCE.exec(withDomain(image));
  if (parts === null) return 'IfNotPresent';
  const [, path = '', tag, digest] = parts;
  if (path.length > MAX_PATH || (digest !== undefined && !isDigest(digest))) return 'IfNotPresent';
  return (tag ?? (digest === undefined ? 'latest' : '')) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** A name without a domain belongs to Docker Hub, and one without a path to its library. */
function withDomain(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const named = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  if (slash < 0) return `docker.io/library/${image}`;
  return named ? image : `docker.io/${image}`;
}

function isDigest(digest: string): boolean {
  const [algorithm = '', digits = ''] = digest.split(':');
  return Object.hasOwn(DIGITS, algorithm) && /^[0-9a-f]+$/.test(digits) && digits.length === DIGITS[algorithm];
}
