// The number type of a schema with its format, which bounds values and limits.

/** The only type of a schema, with its format where it is one of that type. */
export interface NumberType {
  readonly name: 'integer' | 'number';
  readonly format: '' | 'int32' | 'int64' | 'float' | 'double';
}

const FORMATS = { integer: ['int32', 'int64'], number: ['float', 'double'] } as const;

/** The type of numbers that a schema declares; undefined for another type. */
export function numberType(type: string, format: string): NumberType | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  return { name: type, format: FORMATS[type].find((each) => each === format) ?? '' };
}
