// Named formats in CEL: `format.dns1123Label().validate(name)` returns the errors of a name, or none. Rules and
// messages are those for names, labels and formats of schemas.

import {
  generateNameFaults,
  label1035Faults,
  labelFaults,
  labelValueFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from '../api/names.ts';
import { exactly, scale } from '../cel/cost/range.ts';
import { searchCost, TRAVERSAL } from '../cel/library/call-cost.ts';
import { type Library, method, overload } from '../cel/library/library.ts';
import { urlFault } from '../cel/library/url.ts';
import { listOf, optionalOf, STRING, structType, type Type } from '../cel/types/type.ts';
import { ArrayList } from '../cel/value/array-list.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { sizeOf } from '../cel/value/size.ts';
import { OpaqueValue, Optional, type Value } from '../cel/value/value.ts';
import { hasFormat } from '../schema/structural/formats.ts';

/** Estimated length of a format's regular expression, times the cost factor per character. */
const ESTIMATED_PATTERN = 128 * 0.25;
/** Estimated length of a format's name. */
const MAX_NAME = 64;

class Format extends OpaqueValue {
  override readonly type: Type<unknown> = FORMAT_TYPE;
  readonly name: string;
  /** The assumed length of its regular expression in costs. */
  readonly patternSize: number;
  /** The errors of a text that is invalid for the format. */
  readonly faults: (text: string) => readonly string[];

  constructor(name: string, patternSize: number, faults: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.faults = faults;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof Format)) throw new EvaluationError('no such overload');
    return this.name === other.name;
  }
}

const FORMAT_TYPE = structType<Format>('kubernetes.NamedFormat');

/** A schema format with a single error message. */
function schemaFormat(name: string, patternSize: number, message: string): Format {
  return new Format(name, patternSize, (text) => (hasFormat(text, name) ? [] : [message]));
}

/** By their names in CEL. Prefixes may end in a dash, because more follows. */
const BY_NAME: ReadonlyMap<string, Format> = new Map([
  ['dns1123Label', new Format('DNS1123Label', 30, labelFaults)],
  ['dns1123Subdomain', new Format('DNS1123Subdomain', 60, subdomainFaults)],
  ['dns1035Label', new Format('DNS1035Label', 30, label1035Faults)],
  ['qualifiedName', new Format('QualifiedName', 60, qualifiedNameFaults)],
  ['dns1123LabelPrefix', new Format('DNS1123LabelPrefix', 30, (text) => generateNameFaults('label', text))],
  ['dns1123SubdomainPrefix', new Format('DNS1123SubdomainPrefix', 60, (text) => generateNameFaults('subdomain', text))],
  ['dns1035LabelPrefix', new Format('DNS1035LabelPrefix', 30, (text) => generateNameFaults('label1035', text))],
  ['labelValue', new Format('LabelValue', 40, labelValueFaults)],
  ['uri', new Format('URI', 1103, uriFaults)],
  ['uuid', schemaFormat('uuid', 70, 'does not match the UUID format')],
  ['byte', schemaFormat('byte', 84, 'invalid base64')],
  ['date', schemaFormat('date', 71, 'invalid date')],
  ['datetime', schemaFormat('datetime', 71, 'invalid datetime')],
]);

function uriFaults(text: string): readonly string[] {
  const fault = urlFault(text);
  return fault === undefined ? [] : [fault];
}

function validate(format: Format, text: string): Optional {
  const faults = format.faults(text);
  return new Optional(faults.length === 0 ? undefined : new ArrayList(faults));
}

function namedOf(byName: ReadonlyMap<string, Format>): Library['functions'] {
  return [...byName].map(([name, format]) => ({
    name: `format.${name}`,
    overloads: [
      overload(`format.${name}`, [[], FORMAT_TYPE], {
        about: `The format that \`format.named('${name}')\` finds.`,
        evaluate: () => format,
      }),
    ],
  }));
}

function formats(byName: ReadonlyMap<string, Format>): Library {
  return Object.freeze({
    name: 'formats',
    equality: new Map([[FORMAT_TYPE.name, () => scale({ min: 1, max: MAX_NAME }, TRAVERSAL)]]),
    functions: [
      {
        name: 'format.named',
        overloads: [
          overload('format-named', [[STRING], optionalOf(FORMAT_TYPE)], {
            about: 'The optional format with a name.',
            evaluate: (name) => new Optional(byName.get(name)),
            estimate: () => ({ cost: exactly(1) }),
          }),
        ],
      },
      {
        name: 'validate',
        overloads: [
          method('format-validate', [[FORMAT_TYPE, STRING], optionalOf(listOf(STRING))], {
            about: 'The optional list of errors in a string; empty if it is valid.',
            evaluate: validate,
            pricesErrors: true,
            cost: (_result, format, text) =>
              format instanceof Format ? searchCost(sizeOf(text), format.patternSize) : 1,
            estimate: (_format, text) => ({
              cost: scale(scale(text?.size ?? exactly(0), TRAVERSAL), ESTIMATED_PATTERN),
            }),
          }),
        ],
      },
      ...namedOf(byName),
    ],
  });
}

export const FORMATS: Library = formats(BY_NAME);

/** The library from Kubernetes 1.35 on: errors give the maximum length of labels in bytes. */
export const FORMATS_IN_BYTES: Library = formats(
  new Map([
    ...BY_NAME,
    ['qualifiedName', new Format('QualifiedName', 60, inBytes(qualifiedNameFaults))],
    ['labelValue', new Format('LabelValue', 40, inBytes(labelValueFaults))],
  ]),
);

function inBytes(faults: Format['faults']): Format['faults'] {
  return (text) => faults(text).map((fault) => fault.replace(/ characters$/, ' bytes'));
}
