// Errors of a configuration's fields as one text, as the operator reads it.

import { type FieldError, fieldErrorBody } from '../../api/errors.ts';
import { errorList } from '../../base/error-list.ts';

export function fieldErrorsText(errors: readonly FieldError[]): string {
  return errorList(errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`));
}
