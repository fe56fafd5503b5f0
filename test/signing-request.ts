// Builder of certificate requests for tests: valid in form, with any subject, unsigned or signed with a given key.

/** A DER element, one character per byte. */
export function der(tag: number, ...content: readonly string[]): string {
  const body = content.join('');
  const long = [body.length >> 8, body.length & 0xff];
  const length = body.length < 0x80 ? [body.length] : body.length < 0x100 ? [0x81, body.length] : [0x82, ...long];
  return String.fromCharCode(tag, ...length) + body;
}

/** An organization in a subject, with the given string type. */
export function organizationOf(tag: number, text: string): string {
  return nameOf(10, der(tag, text));
}

/** A common name in a subject. */
export function commonNameOf(text: string): string {
  return nameOf(3, der(0x0c, text));
}

function nameOf(type: number, value: string): string {
  return der(0x31, der(0x30, der(0x06, String.fromCharCode(0x55, 0x04, type)), value));
}

/** The bytes of an unsigned request with this subject. */
export function requestOf(...subject: readonly string[]): string {
  const algorithm = der(0x30, der(0x06, '\x2a\x03'));
  return signedRequestOf(subject, { key: der(0x30, algorithm, der(0x03, '\0')), algorithm, sign: () => '' });
}

/** A public key (SubjectPublicKeyInfo), its algorithm, and how it signs; DER, one character per byte. */
export interface SigningKey {
  readonly key: string;
  readonly algorithm: string;
  readonly sign: (bytes: string) => string;
}

/** The bytes of a request with this subject, signed with a key. */
export function signedRequestOf(subject: readonly string[], { key, algorithm, sign }: SigningKey): string {
  const info = der(0x30, der(0x02, '\0'), der(0x30, ...subject), key, der(0xa0));
  return der(0x30, info, algorithm, der(0x03, '\0', sign(info)));
}

/** Bytes as the PEM text of a request. */
export function pemOf(bytes: string, headers = ''): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${headers}${btoa(bytes)}\n-----END CERTIFICATE REQUEST-----\n`;
}
