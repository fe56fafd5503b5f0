// Options of response headers for browsers, and of the server's external name.

export interface WebOptions {
  /** Regular expressions for origins whose scripts may use the API; empty for none. */
  readonly corsAllowedOrigins: readonly string[];
  /** Directives of Strict-Transport-Security; empty for no header. */
  readonly strictTransportSecurityDirectives: readonly string[];
  /** Host, optionally with a port, in URLs of the server; '' for the listening address. */
  readonly externalHostname: string;
}

export const defaultWebOptions: WebOptions = {
  corsAllowedOrigins: [],
  strictTransportSecurityDirectives: [],
  externalHostname: '',
};

/** Errors in kube-apiserver's words. */
export function webProblems({ corsAllowedOrigins, strictTransportSecurityDirectives }: WebOptions): string[] {
  return [
    ...strictTransportSecurityDirectives.flatMap((directive) => directiveProblem(directive) ?? []),
    ...corsAllowedOrigins.flatMap((pattern) => originProblem(pattern) ?? []),
  ];
}

const ORIGINS_HELP =
  'List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support ' +
  'subdomain matching. If this list is empty CORS will not be enabled. Please ensure each expression matches the entire ' +
  "hostname by anchoring to the start with '^' or including the '//' prefix, and by anchoring to the end with '$' or " +
  "including the ':' port separator suffix. Examples of valid expressions are '//example\\.com(:|$)' and " +
  "'^https://example\\.com(:|$)'";

/** The error for a pattern with this fault. */
export function badOriginPattern(fault: string): string {
  return `--cors-allowed-origins has an invalid regular expression: ${fault}, help: ${ORIGINS_HELP}`;
}

/**
 * A pattern that is not anchored can match a host name that an attacker registers. Its syntax is checked at startup,
 * because the regular expression engine is only loaded if there are patterns.
 */
function originProblem(pattern: string): string | undefined {
  if (pattern === '') return `empty value in --cors-allowed-origins, help: ${ORIGINS_HELP}`;
  if (/\^|\/\//.test(pattern) && /[$:]/.test(pattern)) return undefined;
  return badOriginPattern('regular expression does not pin to start/end of host in the origin header');
}

function directiveProblem(directive: string): string | undefined {
  if (directive.trim() === '') return 'empty value in strict-transport-security-directives';
  if (/^(includeSubDomains|preload|max-age=[^=]*)$/.test(directive)) return undefined;
  const allowed = 'max-age=expireTime, includeSubDomains, preload';
  const more = 'https://tools.ietf.org/html/rfc6797#section-6.1';
  return `--strict-transport-security-directives invalid, allowed values: ${allowed}. see ${more} for more information`;
}
