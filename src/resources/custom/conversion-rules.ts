// The rules for how a definition's versions are converted into each other.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json } from '../../api/object.ts';
import { validateChoice } from '../validation/field-rules.ts';
import { validateWebhookService, validateWebhookUrl } from '../validation/urls.ts';
import { at, isObject, listAt, textAt } from '../value.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export function conversionErrors(conversion: Json | undefined, field: string): FieldError[] {
  if (!isObject(conversion)) return [];
  const strategy = textAt(conversion, 'strategy');
  const found =
    strategy === ''
      ? [fieldError.required(`${field}.strategy`)]
      : validateChoice(strategy, ['None', 'Webhook'], `${field}.strategy`);
  const client = at(conversion, 'webhook', 'clientConfig');
  const reviews = listAt(conversion, 'webhook', 'conversionReviewVersions') as string[];
  if (strategy === 'Webhook') {
    found.push(...clientErrors(client, `${field}.webhookClientConfig`));
    found.push(...reviewErrors(reviews, `${field}.conversionReviewVersions`));
    // Objects that nobody converts must not be accepted.
    if (found.length === 0) {
      found.push(
        fieldError.forbidden(`${field}.strategy`, 'conversion by webhook is not supported by this server yet'),
      );
    }
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
  return hasUrl ? validateWebhookUrl(url, `${field}.url`) : validateWebhookService(service, `${field}.service`);
}

function reviewErrors(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(field)];
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return [];
  return [fieldError.invalid(field, versions as Json, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}
