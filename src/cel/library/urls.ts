// Kubernetes' URL library.

import { type Range, scale } from '../cost/range.ts';
import { BOOL, listOf, mapOf, STRING } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { HashMap } from '../value/map.ts';
import { SAME_LENGTH, TRAVERSAL } from './call-cost.ts';
import { type Library, method, type Operand, overload } from './library.ts';
import { readOnce } from './read-once.ts';
import { readUrl, URL_TYPE, type Url, urlFault } from './url.ts';

function urlOf(text: string): Url {
  const url = readUrl(text);
  if (typeof url === 'string') throw new EvaluationError(`URL parse error during conversion from string: ${url}`);
  return url;
}

/** The text on the right alone counts, and an unknown one as 1. */
function equalityEstimate(_left: Operand, right: Operand): Range {
  return scale({ min: 1, max: right.computedSize?.max ?? 1 }, TRAVERSAL);
}

export const URLS: Library = Object.freeze({
  name: 'urls',
  equality: new Map([[URL_TYPE.name, equalityEstimate]]),
  functions: [
    {
      name: 'url',
      overloads: [
        overload('string_to_url', [[STRING], URL_TYPE], {
          about: 'The URL in a string; an error if invalid. It must start with a scheme or a slash.',
          evaluate: urlOf,
          specialize: readOnce(urlOf),
          ...SAME_LENGTH,
        }),
      ],
    },
    {
      name: 'isURL',
      overloads: [
        overload('is_url_string', [[STRING], BOOL], {
          about: 'Whether a string is a valid URL.',
          evaluate: (text) => urlFault(text) === undefined,
        }),
      ],
    },
    {
      name: 'getScheme',
      overloads: [
        method('url_get_scheme', [[URL_TYPE], STRING], {
          about: 'The scheme in lower case, or the empty string.',
          evaluate: (url) => url.scheme,
        }),
      ],
    },
    {
      name: 'getHost',
      overloads: [
        method('url_get_host', [[URL_TYPE], STRING], {
          about: 'The host with its port, an IPv6 address in brackets; or the empty string.',
          evaluate: (url) => url.host,
        }),
      ],
    },
    {
      name: 'getHostname',
      overloads: [
        method('url_get_hostname', [[URL_TYPE], STRING], {
          about: 'The host without port and brackets, or the empty string.',
          evaluate: (url) => url.hostname,
        }),
      ],
    },
    {
      name: 'getPort',
      overloads: [
        method('url_get_port', [[URL_TYPE], STRING], {
          about: 'The port in digits, or the empty string.',
          evaluate: (url) => url.port,
        }),
      ],
    },
    {
      name: 'getEscapedPath',
      overloads: [
        method('url_get_escaped_path', [[URL_TYPE], STRING], {
          about: 'The escaped path, or the empty string.',
          evaluate: (url) => url.escapedPath,
        }),
      ],
    },
    {
      name: 'getQuery',
      overloads: [
        method('url_get_query', [[URL_TYPE], mapOf(STRING, listOf(STRING))], {
          about: 'The query parameters: for each name the list of its unescaped values.',
          evaluate: (url) => HashMap.of([...url.query].map(([name, values]) => [name, new ArrayList(values)])),
        }),
      ],
    },
  ],
});
