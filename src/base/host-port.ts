// The authority of a URL from its parts: an IPv6 address stands in brackets.

interface Place {
  readonly host: string;
  readonly port: number | string;
}

/** The `host:port` of a place, as Go's net.JoinHostPort writes it. */
export function hostAndPort({ host, port }: Place): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
