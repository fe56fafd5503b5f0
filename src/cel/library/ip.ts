// Functions on Internet addresses: Kubernetes' IP library. Addresses with a zone and addresses of version 4 written as
// ones of version 6 are none to it.

import { goQuote } from '../../base/go-quote.ts';
import { BOOL, INT, STRING } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { perCharacter } from './call-cost.ts';
import { IP_TYPE, type IpAddress, readAddress } from './ip-address.ts';
import { type Library, method, overload } from './library.ts';
import { equalityAtOneCost, namedTypes } from './named-types.ts';
import { readOnce } from './read-once.ts';

/** The address of a text. A string is the reason why it is none. */
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
          about: 'The address that a text names; an error if it names none.',
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
          about: 'Whether a text names an address.',
          evaluate: (text) => typeof parseIp(text) !== 'string',
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'ip.isCanonical',
      overloads: [
        overload('ip_is_canonical', [[STRING], BOOL], {
          about: 'Whether a text is how the address that it names is best written; an error if it names none.',
          evaluate: (text) => ipOf(text).toString() === text,
          ...perCharacter(2),
        }),
      ],
    },
    {
      name: 'family',
      overloads: [
        method('ip_family', [[IP_TYPE], INT], {
          about: 'The version of the protocol that the address is of: 4 or 6.',
          evaluate: (ip) => ip.family,
        }),
      ],
    },
    {
      name: 'isUnspecified',
      overloads: [
        method('ip_is_unspecified', [[IP_TYPE], BOOL], {
          about: 'Whether the address stands for none, as `0.0.0.0` and `::` do.',
          evaluate: (ip) => ip.isUnspecified,
        }),
      ],
    },
    {
      name: 'isLoopback',
      overloads: [
        method('ip_is_loopback', [[IP_TYPE], BOOL], {
          about: 'Whether the address is of the own machine: in `127.0.0.0/8`, or `::1`.',
          evaluate: (ip) => ip.isLoopback,
        }),
      ],
    },
    {
      name: 'isLinkLocalMulticast',
      overloads: [
        method('ip_is_link_local_multicast', [[IP_TYPE], BOOL], {
          about:
            'Whether the address is of a group on the same link: in `224.0.0.0/24` or `ff02::/16`, whatever its flags.',
          evaluate: (ip) => ip.isLinkLocalMulticast,
        }),
      ],
    },
    {
      name: 'isLinkLocalUnicast',
      overloads: [
        method('ip_is_link_local_unicast', [[IP_TYPE], BOOL], {
          about: 'Whether the address is valid on its link alone: in `169.254.0.0/16` or `fe80::/10`.',
          evaluate: (ip) => ip.isLinkLocalUnicast,
        }),
      ],
    },
    {
      name: 'isGlobalUnicast',
      overloads: [
        method('ip_is_global_unicast', [[IP_TYPE], BOOL], {
          about: 'Whether the address is of one machine and none of the special ones above; private addresses count.',
          evaluate: (ip) => ip.isGlobalUnicast,
        }),
      ],
    },
    {
      name: 'string',
      overloads: [
        overload('ip_to_string', [[IP_TYPE], STRING], {
          about: 'The address as it is best written.',
          evaluate: (ip) => ip.toString(),
        }),
      ],
    },
  ],
});
