// Admission configuration from files on the server's disk (KEP-5793): webhooks and policies that apply before those of
// the API, and that no request can change.

import type { ApiObject } from '../api/object.ts';

/** The plugins that read manifests, with the kinds in them. */
export const MANIFEST_KINDS = {
  MutatingAdmissionPolicy: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  MutatingAdmissionWebhook: ['MutatingWebhookConfiguration'],
  ValidatingAdmissionPolicy: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ValidatingAdmissionWebhook: ['ValidatingWebhookConfiguration'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ManifestPlugin = keyof typeof MANIFEST_KINDS;

/** The valid objects in the manifests of a plugin. */
export interface Manifests {
  /** Of the kinds of the plugin, sorted by name; another list after each change. */
  readonly objects: readonly ApiObject[];
}

export const NO_MANIFESTS: Manifests = { objects: [] };

/** What is made of manifests: made again after each change, when it is asked for. */
export class FromManifests<T> {
  readonly #manifests: Manifests;
  readonly #make: (objects: readonly ApiObject[]) => readonly T[];
  #of: readonly ApiObject[] | undefined;
  #made: readonly T[] = [];

  constructor(manifests: Manifests, make: (objects: readonly ApiObject[]) => readonly T[]) {
    this.#manifests = manifests;
    this.#make = make;
  }

  get made(): readonly T[] {
    const { objects } = this.#manifests;
    if (objects !== this.#of) {
      this.#made = this.#make(objects);
      this.#of = objects;
    }
    return this.#made;
  }
}
