// Discovery documents with what only other servers on the same store serve, which this server forwards to them. Made once
// for each state of this server and of what is known of the others.

import { mergedGroups } from '../../aggregator/merged-discovery.ts';
import type { JsonObject } from '../../api/object.ts';
import { listAt } from '../../resources/value.ts';
import type { PeerDiscovery } from '../connect/peer-routes.ts';
import type { RequestServices } from '../request-services.ts';
import { type AggregatedDocument, type AggregatedForm, aggregatedDocument } from './aggregated-discovery.ts';

type Needs = Pick<RequestServices, 'catalog' | 'apiServices' | 'turns' | 'metrics'>;

export class MergedDocuments {
  readonly #needs: Needs;
  readonly #own: () => JsonObject;
  readonly #documents = new Map<string, Promise<AggregatedDocument>>();
  #generation = '';

  /** @param own the document of this server alone */
  constructor(needs: Needs, own: () => JsonObject) {
    this.#needs = needs;
    this.#own = own;
  }

  /** @param state identifies the state of this server: its own document differs between states */
  async document(peers: PeerDiscovery, form: AggregatedForm, state: string): Promise<AggregatedDocument> {
    const { metrics } = this.#needs;
    const { generation, servers } = await peers.read((group, version) => this.#isShared(group, version));
    const now = `${state} ${generation}`;
    if (this.#generation !== now) {
      this.#documents.clear();
      this.#generation = now;
    }
    const known = this.#documents.get(form.mediaType);
    metrics.aggregator.mergedRequest(known !== undefined);
    if (known !== undefined) return known;
    const own = this.#own();
    const items = [...mergedGroups({ id: peers.own, groups: listAt(own, 'items') as JsonObject[] }, servers)];
    const turn = this.#needs.turns.begin({ taskName: 'merged discovery' });
    const document = aggregatedDocument({ ...own, items }, form, turn);
    this.#documents.set(form.mediaType, document);
    return document;
  }

  /** Definitions and APIServices are the same for all servers: this one knows best what they say now. */
  #isShared(group: string, version: string): boolean {
    const { catalog, apiServices } = this.#needs;
    const isDefined = catalog.isCustom(group) && catalog.hasVersion(group, version);
    return isDefined || apiServices.remote(group, version) !== undefined;
  }
}
