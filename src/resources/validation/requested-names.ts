// Alternative names in a certificate request: the extension by which its holder asks for names besides the subject.

import { DER_TAGS, type DerElement, DerError, derBytes, derContent, derElements } from '../../base/der.ts';
import { pemBlocks } from '../../base/pem.ts';

/** What is asked for, by its kind. */
interface RequestedNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  /** As bytes, one character each. */
  readonly addresses: readonly string[];
}

/** PKCS #9's extensionRequest, 1.2.840.113549.1.9.14, and X.509's subjectAltName, 2.5.29.17. */
const EXTENSION_REQUEST = '\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e';
const ALTERNATIVE_NAMES = '\x55\x1d\x11';
const ATTRIBUTES = 0xa0;
const EMAIL = 0x81;
const DNS = 0x82;
const URI = 0x86;
const ADDRESS = 0x87;

/**
 * The content of the extension in a text that `certificateRequestSubject` accepts; undefined if there is none.
 * @throws DerError
 */
export function alternativeNames(text: string): string | undefined {
  const [request] = derElements(pemBlocks(text)[0]!.bytes);
  const [info] = derContent(request, DER_TAGS.sequence);
  const [, , , attributes] = derContent(info, DER_TAGS.sequence);
  for (const attribute of derContent(attributes, ATTRIBUTES)) {
    const [type, values] = derContent(attribute, DER_TAGS.sequence);
    if (derBytes(type, DER_TAGS.objectIdentifier) !== EXTENSION_REQUEST) continue;
    const [extensions] = derContent(values, DER_TAGS.set);
    const found = derContent(extensions, DER_TAGS.sequence).map(extensionOf);
    const names = found.find(({ type: id }) => id === ALTERNATIVE_NAMES);
    if (names !== undefined) return names.value;
  }
  return undefined;
}

/** The names in such a request. @throws DerError */
export function requestedNames(text: string): RequestedNames {
  const content = alternativeNames(text);
  const [names] = content === undefined ? [] : derElements(content);
  const all = names === undefined ? [] : derContent(names, DER_TAGS.sequence);
  const of = (tag: number) => all.filter((each) => each.tag === tag).map((each) => each.content);
  return { dns: of(DNS), emails: of(EMAIL), uris: of(URI), addresses: of(ADDRESS) };
}

function extensionOf(element: DerElement): { readonly type: string; readonly value: string } {
  const parts = derContent(element, DER_TAGS.sequence);
  const value = parts.at(-1);
  if (value === undefined) throw new DerError('asn1: syntax error: sequence truncated');
  return { type: derBytes(parts[0], DER_TAGS.objectIdentifier), value: value.content };
}
