// Kubernetes' IP library. It rejects addresses with a zone and IPv4-mapped IPv6 addresses.

import { goQuote } from '../../base/go-quote.ts';
import { BOOL, INT, STRING } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { perCharacter } from './call-cost.ts';
import { IP_TYPE, type IpAddress, readAddress } from './ip-address.ts';
import { type Library, method, overload } from './library.ts';
import { equalityAtOneCost, namedTypes } from './named-types.ts';
import { readOnce } from './read-once.ts';

/** The address in a string. A string result is the error. */
export function parseIp(text: string): IpAddress | string {
  const read = readAddress(text);
  if (typeof read === 'string') return `IP Address ${goQuote(text)} parse error during conversion from string: ${read}`;
  if (read.zone !== '') return `IP address ${goQuote(text)} with zone value is not allowed`;
  if (read.address.isMapped) return `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`;
  return read.address;
}

function ipOf(text: string): IpAddress {
  const read = parseIp(text);
  if (typeof read === 'string') throw new EvaluationError(read);
  return read;
}

export const IPS: Library = Object.freeze({
  name: 'ip',
  types: namedTypes(IP_TYPE),
  equality: equalityAtOneCost(IP_TYPE),
  functions: [
    {
      name: 'ip',
      overloads: [
        overload('string_to_ip', [[STRING], IP_TYPE], {
          about: 'The IP address in a string; an error if invalid.',
          evaluate: ipOf,
          specialize: readOnce(ipOf),
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isIP',
      overloads: [
        overload('is_ip', [[STRING], BOOL], {
          about: 'Whether a string is a valid IP address.',
          evaluate: (text) => typeof parseIp(text) !== 'string',
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'ip.isCanonical',
      overloads: [
        overload('ip_is_canonical', [[STRING], BOOL], {
          about: 'Whether a string is an IP address in canonical form; an error if invalid.',
          evaluate: (text) => ipOf(text).toString() === text,
          ...perCharacter(2),
        }),
      ],
    },
    {
      name: 'family',
      overloads: [
        method('ip_family', [[IP_TYPE], INT], {
          about: 'The IP version of the address: 4 or 6.',
          evaluate: (ip) => ip.family,
        }),
      ],
    },
    {
      name: 'isUnspecified',
      overloads: [
        method('ip_is_unspecified', [[IP_TYPE], BOOL], {
          about: 'Whether the address is unspecified: `0.0.0.0` or `::`.',
          evaluate: (ip) => ip.isUnspecified,
        }),
      ],
    },
    {
      name: 'isLoopback',
      overloads: [
        method('ip_is_loopback', [[IP_TYPE], BOOL], {
          about: 'Whether the address is a loopback address: in `127.0.0.0/8`, or `::1`.',
          evaluate: (ip) => ip.isLoopback,
        }),
      ],
    },
    {
      name: 'isLinkLocalMulticast',
      overloads: [
        method('ip_is_link_local_multicast', [[IP_TYPE], BOOL], {
          about: 'Whether the address is link-local multicast: in `224.0.0.0/24` or `ff02::/16`, whatever its flags.',
          evaluate: (ip) => ip.isLinkLocalMulticast,
        }),
      ],
    },
    {
      name: 'isLinkLocalUnicast',
      overloads: [
        method('ip_is_link_local_unicast', [[IP_TYPE], BOOL], {
          about: 'Whether the address is link-local unicast: in `169.254.0.0/16` or `fe80::/10`.',
          evaluate: (ip) => ip.isLinkLocalUnicast,
        }),
      ],
    },
    {
      name: 'isGlobalUnicast',
      overloads: [
        method('ip_is_global_unicast', [[IP_TYPE], BOOL], {
          about: 'Whether the address is global unicast; includes private addresses.',
          evaluate: (ip) => ip.isGlobalUnicast,
        }),
      ],
    },
    {
      name: 'string',
      overloads: [
        overload('ip_to_string', [[IP_TYPE], STRING], {
          about: 'The address in canonical form.',
          evaluate: (ip) => ip.toString(),
        }),
      ],
    },
  ],
});
