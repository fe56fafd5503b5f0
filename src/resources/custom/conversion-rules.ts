// Validation of the conversion strategy of CustomResourceDefinitions.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { label1035Faults } from '../../api/names.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { firstPlaces } from '../../base/first-places.ts';
import { authoritiesFault } from '../validation/certificates.ts';
import { faultErrors, validateChoice } from '../validation/field-rules.ts';
import { type ServiceReference, validateWebhookService } from '../validation/service-references.ts';
import { validateWebhookUrl } from '../validation/webhook-url.ts';
import { at, listAt, textAt } from '../value.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/**
 * @param mayHaveBadBundle whether an invalid CA bundle is accepted
 * @param preserves whether the definition preserves unknown fields, as old ones did
 */
export function conversionErrors(
  conversion: Json | undefined,
  { field, mayHaveBadBundle, preserves }: { field: string; mayHaveBadBundle: boolean; preserves: boolean },
): FieldError[] {
  if (!isObject(conversion)) return [];
  const strategy = textAt(conversion, 'strategy');
  const found: FieldError[] = [];
  if (preserves && strategy !== 'None') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    found.push(fieldError.invalid(`${field}.strategy`, strategy, why));
  }
  if (strategy === '') found.push(fieldError.required(`${field}.strategy`));
  else found.push(...validateChoice(strategy, ['None', 'Webhook'], `${field}.strategy`));
  const client = at(conversion, 'webhook', 'clientConfig');
  const reviews = listAt(conversion, 'webhook', 'conversionReviewVersions') as string[];
  if (strategy === 'Webhook') {
    found.push(...clientErrors(client, `${field}.webhookClientConfig`));
    if (!mayHaveBadBundle) found.push(...bundleErrors(client, `${field}.webhookClientConfig.caBundle`));
    found.push(...reviewErrors(reviews, `${field}.conversionReviewVersions`));
    return found;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (isObject(client)) found.push(fieldError.forbidden(`${field}.webhookClientConfig`, detail));
  if (reviews.length > 0) found.push(fieldError.forbidden(`${field}.conversionReviewVersions`, detail));
  return found;
}

function clientErrors(client: Json | undefined, field: string): FieldError[] {
  if (!isObject(client)) return [fieldError.required(field, 'required when strategy is set to Webhook')];
  const { url, service } = client;
  const hasUrl = typeof url === 'string';
  if (hasUrl === isObject(service)) return [fieldError.required(field, 'exactly one of url or service is required')];
  return hasUrl
    ? validateWebhookUrl(url, `${field}.url`)
    : validateWebhookService(service as ServiceReference, `${field}.service`);
}

function bundleErrors(client: Json | undefined, field: string): FieldError[] {
  const fault = bundleFault(client);
  return fault === undefined ? [] : [fieldError.invalid(field, textAt(client, 'caBundle'), fault)];
}

/** Whether the conversion webhook of a definition has an invalid CA bundle. */
export function hasBadBundle(definition: JsonObject): boolean {
  return bundleFault(at(definition, 'spec', 'conversion', 'webhook', 'clientConfig')) !== undefined;
}

/** Why the CA bundle of a client configuration is invalid; undefined if it is valid or absent. */
function bundleFault(client: Json | undefined): string | undefined {
  const bundle = textAt(client, 'caBundle');
  return bundle === '' ? undefined : authoritiesFault(atob(bundle));
}

function reviewErrors(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(field)];
  const places = firstPlaces(versions);
  const found = versions.flatMap((version, index) => {
    const here = `${field}[${index}]`;
    if (places.get(version) !== index) return [fieldError.invalid(here, version, 'duplicate version')];
    return faultErrors(label1035Faults(version), version, here);
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return found;
  return [
    ...found,
    fieldError.invalid(field, versions as Json, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`),
  ];
}
