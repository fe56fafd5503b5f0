// What the name of a container image says about when to pull it.

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DOMAIN = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+\\]';
/** The grammar of image references: domain and port, path, tag, digest. */
const REFERENCE = new RegExp(
  `^(?:(?:${DOMAIN})(?::[0-9]+)?/)?${COMPONENT}(?:/${COMPONENT})*(?::(\\w[\\w.-]{0,127}))?(@[A-Za-z][\\w.+:-]*:[0-9a-fA-F]{32,})?$`,
);
/** A bare identifier is no name. */
const IDENTIFIER = /^[0-9a-f]{64}$/;

/** `Always` for the tag latest, also where neither tag nor digest is said, and `IfNotPresent` for all else. */
export function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const parts = IDENTIFIER.test(image) ? null : REFERENCE.exec(image);
  if (parts === null) return 'IfNotPresent';
  const [, tag, digest] = parts;
  return (tag ?? (digest === undefined ? 'latest' : '')) === 'latest' ? 'Always' : 'IfNotPresent';
}
