// Requests for certificates made for tests: of the right form, with any subject, signed by nobody or by a key at hand.

/** An element of DER, one character a byte. */
export function der(tag: number, ...content: readonly string[]): string {
  const body = content.join('');
  const long = [body.length >> 8, body.length & 0xff];
  const length = body.length < 0x80 ? [body.length] : body.length < 0x100 ? [0x81, body.length] : [0x82, ...long];
  return String.fromCharCode(tag, ...length) + body;
}

/** An organization of a subject, its text in the form that the tag says. */
export function organizationOf(tag: number, text: string): string {
  return nameOf(10, der(tag, text));
}

/** A common name of a subject. */
export function commonNameOf(text: string): string {
  return nameOf(3, der(0x0c, text));
}

function nameOf(type: number, value: string): string {
  return der(0x31, der(0x30, der(0x06, String.fromCharCode(0x55, 0x04, type)), value));
}

/** The bytes of a request of this subject, signed by nobody. */
export function requestOf(...subject: readonly string[]): string {
  const algorithm = der(0x30, der(0x06, '\x2a\x03'));
  return signedRequestOf(subject, { key: der(0x30, algorithm, der(0x03, '\0')), algorithm, sign: () => '' });
}

/** A key as a request shows it (SubjectPublicKeyInfo), its algorithm, and how it signs; DER, one character a byte. */
export interface SigningKey {
  readonly key: string;
  readonly algorithm: string;
  readonly sign: (bytes: string) => string;
}

/** The bytes of a request of this subject, signed by a key. */
export function signedRequestOf(subject: readonly string[], { key, algorithm, sign }: SigningKey): string {
  const info = der(0x30, der(0x02, '\0'), der(0x30, ...subject), key, der(0xa0));
  return der(0x30, info, algorithm, der(0x03, '\0', sign(info)));
}

/** Bytes as the PEM text of a request. */
export function pemOf(bytes: string, headers = ''): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${headers}${btoa(bytes)}\n-----END CERTIFICATE REQUEST-----\n`;
}
