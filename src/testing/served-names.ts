// The names of resources that a test server has, to refuse filters that would never match a request.

import { editDistance } from '../base/edit-distance.ts';
import type { ResourceNames } from '../http/filters/request-hooks.ts';
import type { RequestFilter } from './request-filter.ts';
import { several } from './request-filter.ts';

/** Letters that a misspelt name may have wrong. */
const MISSPELT = 2;

export class ServedNames {
  #resources: () => Iterable<ResourceNames> = () => [];

  serves(resources: () => Iterable<ResourceNames>): void {
    this.#resources = resources;
  }

  /**
   * @throws TypeError for a singular, a kind or a short name in place of a resource, and for a name that no resource has.
   *   With a group that the server does not have yet, any name is one: its definition may come later.
   */
  assertServed(filter: RequestFilter): void {
    const resources = [...this.#resources()];
    const groups = new Set(resources.map(({ group }) => group));
    const isLater = several(filter.group).some((group) => !groups.has(group));
    for (const name of several(filter.resource)) {
      if (resources.length === 0 || name === '' || resources.some(({ resource }) => resource === name)) continue;
      const meant = otherForm(name, resources);
      if (meant === undefined && isLater) continue;
      const hint = meant ?? nearest(name, resources);
      throw new TypeError(
        `there is no resource ${name}${hint === undefined ? '' : `: did you mean ${hint}?`}` +
          (meant === undefined ? '; name the group of a resource that is defined later' : ''),
      );
    }
  }
}

/** The resource whose singular, kind or short name this is. */
function otherForm(name: string, resources: readonly ResourceNames[]): string | undefined {
  const lower = name.toLowerCase();
  return resources.find(
    ({ singular, kind, shortNames, resource }) =>
      [singular, kind.toLowerCase(), resource].includes(lower) || shortNames.includes(lower),
  )?.resource;
}

function nearest(name: string, resources: readonly ResourceNames[]): string | undefined {
  const found = resources.map(({ resource }) => ({ resource, apart: editDistance(name, resource) }));
  return found.filter(({ apart }) => apart <= MISSPELT).sort((one, other) => one.apart - other.apart)[0]?.resource;
}
