// Field errors of a configuration as one message for the operator.

import { type FieldError, fieldErrorBody } from '../../api/errors.ts';
import { errorList } from '../../base/error-list.ts';

export function fieldErrorsText(errors: readonly FieldError[]): string {
  return errorList(errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`));
}
