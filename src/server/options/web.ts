// Options of what browsers and other clients are told in headers, and of the name that the server has outside.

export interface WebOptions {
  /** Regular expressions of origins whose scripts may use the API; none for no such origin. */
  readonly corsAllowedOrigins: readonly string[];
  /** Directives of Strict-Transport-Security; none for no such header. */
  readonly strictTransportSecurityDirectives: readonly string[];
  /** The host, perhaps with its port, in URLs that the server makes of itself; '' for where it listens. */
  readonly externalHostname: string;
}

export const defaultWebOptions: WebOptions = {
  corsAllowedOrigins: [],
  strictTransportSecurityDirectives: [],
  externalHostname: '',
};

/** What is wrong, in kube-apiserver's words. */
export function webProblems({ corsAllowedOrigins, strictTransportSecurityDirectives }: WebOptions): string[] {
  return [
    ...corsAllowedOrigins.flatMap((pattern) => originProblem(pattern) ?? []),
    ...strictTransportSecurityDirectives.flatMap((directive) => directiveProblem(directive) ?? []),
  ];
}

/**
 * A pattern that may match in the midst of a host's name lets in whoever registers the right name. Whether it is a
 * pattern at all is seen when the server starts: what reads patterns is loaded only where there are some.
 */
function originProblem(pattern: string): string | undefined {
  if (/\^|\/\//.test(pattern) && /[$:]/.test(pattern)) return undefined;
  const fault = 'regular expression does not pin to start/end of host in the origin header';
  return `--cors-allowed-origins has an invalid regular expression: ${fault}`;
}

function directiveProblem(directive: string): string | undefined {
  if (/^(includeSubDomains|preload|max-age=[^=]*)$/.test(directive)) return undefined;
  const allowed = 'max-age=expireTime, includeSubDomains, preload';
  const more = 'https://tools.ietf.org/html/rfc6797#section-6.1';
  return `--strict-transport-security-directives invalid, allowed values: ${allowed}. see ${more} for more information`;
}
