// Warnings as releases before the one that is served by default give them: those that they do not have are left out, and
// others have the words of the earlier release.

import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** A warning that a minor release of Kubernetes 1 added or changed. */
interface Earlier {
  /** The first release with it. */
  readonly since: number;
  /** The fields whose warnings it is about, of which `warning` is then what follows; all if undefined. */
  readonly field?: RegExp;
  readonly warning: RegExp;
  /** The earlier words; undefined for a warning that was added. */
  readonly to?: string;
}

/** Addresses of services, of which earlier releases warn, too. */
const OF_SERVICE = /^spec\.(?:(?:clusterIPs|externalIPs|loadBalancerSourceRanges)\[\d+\]|loadBalancerIP): /;
const IN_FUTURE = 'was accepted, but will be invalid in a future Kubernetes release: ';
const LEADING_ZERO = 'IPv4 field has octet with leading zero';
const LOOPS = ', which may cause controller apply-loops';

const EARLIER: readonly Earlier[] = [
  { since: 34, warning: /^unrecognized format / },
  { since: 34, warning: /^spec\.\w+ is ignored for headless services$/ },
  {
    since: 33,
    field: OF_SERVICE,
    warning: /^IPv6 address ("[^"]*") should be (in RFC 5952 canonical format .*)$/,
    to: `IPv6 address $1 is not $2${LOOPS}`,
  },
  {
    since: 33,
    field: OF_SERVICE,
    warning: /^IPv6 CIDR value ("[^"]*") should be (in RFC 5952 canonical format .*)$/,
    to: `IPv6 prefix $1 is not $2${LOOPS}`,
  },
  {
    since: 33,
    field: OF_SERVICE,
    warning: /^non-standard IP address ("[\d.]*") will .*$/,
    to: `IP address ${IN_FUTURE}ParseAddr($1): ${LEADING_ZERO}`,
  },
  {
    since: 33,
    field: OF_SERVICE,
    warning: /^non-standard CIDR value "([\d.]*)(\/(?:0|[1-9]\d*))" will .*$/,
    to: `IP prefix ${IN_FUTURE}netip.ParsePrefix("$1$2"): ParseAddr("$1"): ${LEADING_ZERO}`,
  },
  {
    since: 33,
    warning: /: (?:non-standard (?:IP address|CIDR value)|IPv6 (?:address|CIDR value)|CIDR value) "/,
  },
  { since: 33, warning: /\.ports\[\d+\]: duplicate port name / },
  { since: 33, warning: /\.preference\.matchExpressions\[\d+\]\.values\[\d+\]: / },
  { since: 33, warning: /^spec\.revisionHistoryLimit: a negative value retains / },
  { since: 33, warning: /(\.gitRepo: deprecated in v1\.11), and disabled by default in v1\.33\+$/, to: '$1' },
  { since: 32, warning: /^volume "/ },
  { since: 32, warning: /^metadata\.annotations\[kubernetes\.io\/enforce-mountable-secrets\]: deprecated / },
];

/** The first release whose warnings are those of the rules. */
const CURRENT = Math.max(...EARLIER.map(({ since }) => since));

/** The warnings of the rules of a kind as a minor release gives them. */
export function warningsInRelease(
  found: readonly string[],
  { minor }: Pick<ResourceDefinition, 'minor'>,
): readonly string[] {
  if (found.length === 0 || isSince({ minor }, CURRENT)) return found;
  const earlier = EARLIER.filter(({ since }) => !isSince({ minor }, since));
  return found.flatMap((text) => {
    for (const each of earlier) {
      const worded = reworded(text, each);
      if (worded !== text) return worded ?? [];
    }
    return [text];
  });
}

/** A warning in earlier words; undefined if it was added, and the same if it is another one. */
function reworded(text: string, { field, warning, to }: Earlier): string | undefined {
  const [start] = field === undefined ? [''] : (field.exec(text) ?? []);
  if (start === undefined) return text;
  const rest = text.slice(start.length);
  if (!warning.test(rest)) return text;
  return to === undefined ? undefined : `${start}${rest.replace(warning, to)}`;
}
