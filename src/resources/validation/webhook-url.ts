// Validation of webhook URLs.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { parseUrl } from '../../cel/library/url.ts';

const FORM = '; desired format: https://host[/path]';

/** An HTTPS URL with only host and path. */
export function validateWebhookUrl(text: string, field: string): FieldError[] {
  const url = parseUrl(text);
  if (typeof url === 'string') return [fieldError.required(field, `url must be a valid URL: ${url}${FORM}`)];
  const { scheme, host, userinfo, fragment, rawQuery } = url;
  const found: FieldError[] = [];
  const refuse = (value: string, why: string) => found.push(fieldError.invalid(field, value, why));
  if (scheme !== 'https') refuse(scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (host === '') refuse(host, `host must be specified${FORM}`);
  if (userinfo !== undefined) refuse(userinfo, 'user information is not permitted in the URL');
  if (fragment !== '') refuse(fragment, 'fragments are not permitted in the URL');
  if (rawQuery !== '') refuse(rawQuery, 'query parameters are not permitted in the URL');
  return found;
}
