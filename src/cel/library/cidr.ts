// Kubernetes' CIDR library, which requires the IP library.

import { goQuote } from '../../base/go-quote.ts';
import { add, exactly, type Range, scale } from '../cost/range.ts';
import { BOOL, INT, STRING } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { sizeOf } from '../value/size.ts';
import type { Value } from '../value/value.ts';
import { perCharacter, TRAVERSAL } from './call-cost.ts';
import { parseIp } from './ip.ts';
import { IP_TYPE } from './ip-address.ts';
import { CIDR_TYPE, type IpPrefix, readPrefix } from './ip-prefix.ts';
import { type Library, method, type Operand, overload } from './library.ts';
import { equalityAtOneCost, namedTypes } from './named-types.ts';
import { readOnce } from './read-once.ts';

const REFUSAL = 'network address parse error during conversion from string: ';

function parseCidr(text: string): IpPrefix | string {
  const read = readPrefix(text);
  if (typeof read === 'string') return `${REFUSAL}${read}`;
  if (read.address.isMapped) return `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`;
  return read;
}

function cidrOf(text: string): IpPrefix {
  const read = parseCidr(text);
  if (typeof read === 'string') throw new EvaluationError(`${REFUSAL}${read}`);
  return read;
}

function containsIpText(network: IpPrefix, text: string): boolean {
  const address = parseIp(text);
  // Not the real reason: Kubernetes continues with the unparsable operand, and finds no matching function.
  if (typeof address === 'string') throw new EvaluationError('no such overload');
  return network.contains(address);
}

/** The bytes of an address, as far as an estimate knows. */
const ADDRESS_BYTES: Range = { min: 4, max: 16 };
const COMPARISON_ESTIMATE = scale(add(ADDRESS_BYTES, ADDRESS_BYTES), TRAVERSAL);
const NETWORK_ESTIMATE = add(add(COMPARISON_ESTIMATE, scale(ADDRESS_BYTES, TRAVERSAL)), exactly(1));

function comparisonCost(network: IpPrefix): number {
  const size = sizeOf(network);
  return Math.ceil((size + size) * TRAVERSAL);
}

function networkCost(network: IpPrefix): number {
  return comparisonCost(network) + Math.ceil(sizeOf(network) * TRAVERSAL) + 1;
}

function readingCost(text: string): number {
  return Math.ceil(sizeOf(text) * TRAVERSAL);
}

function readingEstimate(text: Operand): Range {
  return scale(text.size, TRAVERSAL);
}

export const CIDRS: Library = Object.freeze({
  name: 'cidr',
  types: namedTypes(CIDR_TYPE),
  equality: equalityAtOneCost(CIDR_TYPE),
  functions: [
    {
      name: 'cidr',
      overloads: [
        overload('string_to_cidr', [[STRING], CIDR_TYPE], {
          about: 'The network in a string; an error if invalid.',
          evaluate: cidrOf,
          specialize: readOnce(cidrOf),
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isCIDR',
      overloads: [
        overload('is_cidr', [[STRING], BOOL], {
          about: 'Whether a string is a valid CIDR.',
          evaluate: (text) => typeof parseCidr(text) !== 'string',
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'containsIP',
      cost: (_result: Value, network: IpPrefix) => comparisonCost(network),
      overloads: [
        method('cidr_contains_ip_string', [[CIDR_TYPE, STRING], BOOL], {
          about: 'Whether the network contains the address in a string.',
          evaluate: containsIpText,
          pricesErrors: true,
          cost: (_result, network, text) => comparisonCost(network) + readingCost(text),
          estimate: (_network, text) => ({ cost: add(COMPARISON_ESTIMATE, readingEstimate(text as Operand)) }),
        }),
        method('cidr_contains_ip_ip', [[CIDR_TYPE, IP_TYPE], BOOL], {
          about: 'Whether the network contains an address.',
          evaluate: (network, address) => network.contains(address),
          pricesErrors: true,
          cost: (_result, network) => comparisonCost(network),
          estimate: () => ({ cost: COMPARISON_ESTIMATE }),
        }),
      ],
    },
    {
      name: 'containsCIDR',
      cost: (_result: Value, network: IpPrefix) => networkCost(network),
      overloads: [
        method('cidr_contains_cidr_string', [[CIDR_TYPE, STRING], BOOL], {
          about: 'Whether the network contains, or equals, the one in a string.',
          evaluate: (network, text) => network.containsPrefix(cidrOf(text)),
          pricesErrors: true,
          cost: (_result, network, text) => networkCost(network) + readingCost(text),
          estimate: (_network, text) => ({ cost: add(NETWORK_ESTIMATE, readingEstimate(text as Operand)) }),
        }),
        method('cidr_contains_cidr', [[CIDR_TYPE, CIDR_TYPE], BOOL], {
          about: 'Whether the network contains, or equals, another.',
          evaluate: (network, other) => network.containsPrefix(other),
          pricesErrors: true,
          cost: (_result, network) => networkCost(network),
          estimate: () => ({ cost: NETWORK_ESTIMATE }),
        }),
      ],
    },
    {
      name: 'ip',
      overloads: [
        method('cidr_ip', [[CIDR_TYPE], IP_TYPE], {
          about: 'The address as written in the network.',
          evaluate: (network) => network.address,
        }),
      ],
    },
    {
      name: 'prefixLength',
      overloads: [
        method('cidr_prefix_length', [[CIDR_TYPE], INT], {
          about: 'The prefix length of the network.',
          evaluate: (network) => network.bits,
        }),
      ],
    },
    {
      name: 'masked',
      overloads: [
        method('cidr_masked', [[CIDR_TYPE], CIDR_TYPE], {
          about: 'The network with all host bits zero.',
          evaluate: (network) => network.masked(),
        }),
      ],
    },
    {
      name: 'string',
      overloads: [
        overload('cidr_to_string', [[CIDR_TYPE], STRING], {
          about: 'The network in CIDR notation, with a canonical address.',
          evaluate: (network) => network.toString(),
        }),
      ],
    },
  ],
});
