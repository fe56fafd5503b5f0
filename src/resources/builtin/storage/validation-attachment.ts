// Validation of VolumeAttachments.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { byteLength, subdomainFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateRange, validateRequired } from '../../validation/field-rules.ts';
import { validateImmutableWhole } from '../../validation/whole-objects.ts';
import { validateVolumeSpec } from '../core/persistent-volume/validation.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { VolumeAttachmentSpec } from './v1.ts';
import type { VolumeAttachment, VolumeError } from './v1-objects.ts';

const MESSAGE_BYTES = 1024;
const METADATA_BYTES = 256 * 1024;
const MAX_ERROR_CODE = 2 ** 31 - 1;
const SOURCE = 'spec.source';
const VOLUME_NAME = `${SOURCE}.persistentVolumeName`;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** The first minor release in which the rules of v1 hold for updates, too. */
const VALIDATED_AT_ONCE = 36;

function validateAttachment(attachment: VolumeAttachment, context: StrategyContext): FieldError[] {
  const { nodeName = '', attacher = '' } = attachment.spec ?? {};
  const isWhole = isSince(context, VALIDATED_AT_ONCE);
  const hasName = attacher !== '' && isWhole;
  return [
    ...(hasName ? validateDriverName(attacher, 'spec.attacher') : validateRequired(attacher, 'spec.attacher')),
    ...validateSource(attachment, context),
    ...faultErrors(subdomainFaults(nodeName), nodeName, 'spec.nodeName'),
    ...validateMetadata(attachment.status?.attachmentMetadata ?? {}, 'status.attachmentMetadata'),
    ...(['attachError', 'detachError'] as const).flatMap((member) =>
      validateVolumeError(attachment.status?.[member], `status.${member}`),
    ),
    ...(isWhole ? validateVolumeName(attachment) : []),
  ];
}

function validateMetadata(metadata: Readonly<Record<string, string>>, field: string): FieldError[] {
  const bytes = Object.entries(metadata).reduce((sum, pair) => sum + byteLength(pair.join('')), 0);
  return bytes > METADATA_BYTES ? [fieldError.tooLong(field, METADATA_BYTES)] : [];
}

function validateVolumeError({ message = '', errorCode = 0 }: VolumeError = {}, field: string): FieldError[] {
  // The limit in the message is that of the metadata, as in Kubernetes.
  const found = byteLength(message) > MESSAGE_BYTES ? [fieldError.tooLong(`${field}.message`, METADATA_BYTES)] : [];
  return errorCode >= 0 ? found : [...found, ...validateRange(errorCode, [0, MAX_ERROR_CODE], `${field}.errorCode`)];
}

function validateSource(attachment: VolumeAttachment, context: StrategyContext): FieldError[] {
  const name = attachment.spec?.source?.persistentVolumeName;
  const inline = attachment.spec?.source?.inlineVolumeSpec;
  const named = name !== undefined;
  if (named && inline !== undefined) return [fieldError.forbidden(SOURCE, ONE_SOURCE)];
  if (named) {
    return name === '' ? [fieldError.required(VOLUME_NAME, 'must specify non empty persistentVolumeName')] : [];
  }
  if (inline === undefined) return [fieldError.required(SOURCE, ONE_SOURCE)];
  return validateVolumeSpec(inline, { field: `${SOURCE}.inlineVolumeSpec`, name: '', inline: true, context });
}

/** Additional rules of v1 for new attachments; from 1.36 on they are rules like any other. */
function validateNewAttachment(attachment: VolumeAttachment, context: StrategyContext): FieldError[] {
  if (isSince(context, VALIDATED_AT_ONCE)) return [];
  return [...validateDriverName(attachment.spec?.attacher ?? '', 'spec.attacher'), ...validateVolumeName(attachment)];
}

function validateVolumeName({ spec }: VolumeAttachment): FieldError[] {
  const name = spec?.source?.persistentVolumeName;
  return name !== undefined ? faultErrors(subdomainFaults(name), name, VOLUME_NAME) : [];
}

/** The first minor release of Kubernetes 1 that validates an update once. */
const VALIDATED_ONCE = 35;

export function volumeAttachmentRules(minor: number): KindRules<VolumeAttachment> {
  const times = isSince({ minor }, VALIDATED_ONCE) ? 1 : 2;
  const whole = Array.from({ length: times }, () => ['metadata', 'content'] as const).flat();
  return {
    checks: { update: [...whole, 'change'] },
    validate: validateAttachment,
    validateCreate: validateNewAttachment,
    validateUpdate: (next, previous, { minor }) =>
      validateImmutableWhole({ type: VolumeAttachmentSpec, minor }, [next.spec, previous.spec], 'spec'),
    subresources: {
      status: {
        validateUpdate: (next, _, context) =>
          Array.from({ length: times }, () => validateAttachment(next, context)).flat(),
      },
    },
  };
}
