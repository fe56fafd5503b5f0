// The rules of volume attachments.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { subdomainFaults } from '../../../api/names.ts';
import type { ApiObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { faultErrors, validateImmutable, validateMostBytes, validateRequired } from '../../validation/field-rules.ts';
import { at, isObject, textAt } from '../../value.ts';
import { validateVolumeSpec } from '../core/persistent-volume/validation.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';

const MESSAGE_BYTES = 1024;
const SOURCE = 'spec.source';
const VOLUME_NAME = `${SOURCE}.persistentVolumeName`;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function validateAttachment(attachment: ApiObject): FieldError[] {
  const nodeName = textAt(attachment, 'spec', 'nodeName');
  return [
    ...validateRequired(textAt(attachment, 'spec', 'attacher'), 'spec.attacher'),
    ...validateSource(attachment),
    ...faultErrors(subdomainFaults(nodeName), nodeName, 'spec.nodeName'),
    ...['attachError', 'detachError'].flatMap((member) =>
      validateMostBytes(textAt(attachment, 'status', member, 'message'), MESSAGE_BYTES, `status.${member}.message`),
    ),
  ];
}

function validateSource(attachment: ApiObject): FieldError[] {
  const name = at(attachment, 'spec', 'source', 'persistentVolumeName');
  const inline = at(attachment, 'spec', 'source', 'inlineVolumeSpec');
  const named = typeof name === 'string';
  if (named && isObject(inline)) return [fieldError.forbidden(SOURCE, ONE_SOURCE)];
  if (named) {
    return name === '' ? [fieldError.required(VOLUME_NAME, 'must specify non empty persistentVolumeName')] : [];
  }
  if (!isObject(inline)) return [fieldError.required(SOURCE, ONE_SOURCE)];
  return validateVolumeSpec(inline, { field: `${SOURCE}.inlineVolumeSpec`, name: '', inline: true });
}

/** What v1 asks of a new attachment besides. */
function validateNewAttachment(attachment: ApiObject): FieldError[] {
  const name = at(attachment, 'spec', 'source', 'persistentVolumeName');
  return [
    ...validateDriverName(textAt(attachment, 'spec', 'attacher'), 'spec.attacher'),
    ...(typeof name === 'string' ? faultErrors(subdomainFaults(name), name, VOLUME_NAME) : []),
  ];
}

export const volumeAttachmentRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadata', 'content', 'change'],
  validate: validateAttachment,
  validateCreate: validateNewAttachment,
  validateUpdate: (next, previous) => validateImmutable(next['spec'], previous['spec'], 'spec'),
  validateStatusUpdate: validateAttachment,
};
