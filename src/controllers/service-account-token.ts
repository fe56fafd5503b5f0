// Controller of Secrets of the type kubernetes.io/service-account-token: writes the token into them, and deletes them
// with their service account.

import { Buffer } from 'node:buffer';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { ControlledObjects } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

/** Creates the token in a secret. */
export type SecretTokenMaker = (
  namespace: string,
  secretName: string,
  account: { readonly name: string; readonly uid: string },
) => string;

interface ServiceAccountTokenOptions {
  readonly makeToken: SecretTokenMaker;
  /** The CA of the serving certificate, PEM; '' if it is not published. */
  readonly caPem: string;
}

const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

export class ServiceAccountTokenController implements Controller {
  readonly name = 'serviceaccount-token-controller';
  readonly #context: ControllerContext;
  readonly #options: ServiceAccountTokenOptions;
  readonly #objects: ControlledObjects;
  /** By `namespace/name`. */
  readonly #queue: WorkQueue<string>;
  #watches: readonly ObjectWatch[] = [];

  constructor(context: ControllerContext, options: ServiceAccountTokenOptions) {
    this.#context = context;
    this.#options = options;
    this.#objects = new ControlledObjects(context, 'tokens-controller');
    const work = (key: string) => this.#serve(key);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: limits.controllerWorkers, work });
  }

  async start(): Promise<void> {
    const { registry } = this.#context.writes;
    const { cache: secrets } = await registry.storage(this.#definition('secrets'));
    const { cache: accounts } = await registry.storage(this.#definition('serviceaccounts'));
    const matches = ({ fields }: { fields: Readonly<Record<string, string>> | undefined }) => fields?.['type'] === TYPE;
    const ofNamespace = (namespace: string) => {
      for (const secret of secrets.snapshot().objects({ namespace, name: undefined, matches })) {
        this.#queue.add(`${secret.namespace}/${secret.name}`);
      }
    };
    this.#watches = [
      new ObjectWatch(
        secrets,
        { changed: ({ namespace, name }) => this.#queue.add(`${namespace}/${name}`) },
        { namespace: undefined, name: undefined, matches },
      ),
      new ObjectWatch(accounts, { changed: () => {}, removed: ({ namespace }) => ofNamespace(namespace) }),
    ];
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  async #serve(key: string): Promise<undefined> {
    const [namespace = '', name = ''] = key.split('/');
    const place = { definition: this.#definition('secrets'), namespace, name };
    const secret = await this.#objects.read(place);
    if (secret === undefined || isDeleting(secret)) return;
    const account = await this.#accountOf(namespace, secret);
    if (account === undefined) {
      const { uid, resourceVersion } = secret.metadata;
      await this.#objects.delete(place, { preconditions: { uid, resourceVersion } });
      return;
    }
    const named = { name: account.metadata.name ?? '', uid: account.metadata.uid ?? '' };
    await this.#objects.change(place, (current) => this.#fillIn(current, named));
  }

  /** Undefined if it does not exist, or if another one has the same name. */
  async #accountOf(namespace: string, { metadata }: ApiObject): Promise<ApiObject | undefined> {
    const name = metadata.annotations?.[NAME] ?? '';
    const account = await this.#objects.read({ definition: this.#definition('serviceaccounts'), namespace, name });
    const uid = metadata.annotations?.[UID] ?? '';
    return uid === '' || uid === account?.metadata.uid ? account : undefined;
  }

  /** @returns whether there was anything to fill in */
  #fillIn(secret: ApiObject, account: { name: string; uid: string }): boolean {
    const { namespace = '', name = '' } = secret.metadata;
    const data = (secret['data'] ??= {}) as JsonObject;
    const annotations = (secret.metadata.annotations ??= {});
    const wanted: Record<string, string> = { namespace: base64(namespace) };
    if (this.#options.caPem !== '') wanted['ca.crt'] = base64(this.#options.caPem);
    if ((data['token'] ?? '') === '') wanted['token'] = base64(this.#options.makeToken(namespace, name, account));
    const missing = Object.entries(wanted).filter(([key, value]) => data[key] !== value);
    if (missing.length === 0 && annotations[UID] === account.uid) return false;
    for (const [key, value] of missing) data[key] = value;
    annotations[UID] = account.uid;
    return true;
  }

  #definition(resource: string): ResourceDefinition {
    return this.#context.catalog.find('', resource)!;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
