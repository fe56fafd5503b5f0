// CEL types from protobuf: those of declarations in the vectors, and of the messages that they use.

import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  nullable,
  opaqueType,
  parameter,
  STRING,
  structType,
  TIMESTAMP,
  Type,
  type TypeProvider,
  typeOf,
  UINT,
} from '../../src/cel/types/type.ts';

/** A type in the JSON of protobuf's cel.expr.Type. */
export interface ProtoType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly dyn?: object;
  readonly null?: null | 'NULL_VALUE';
  readonly error?: object;
  readonly type?: ProtoType;
  readonly listType?: { readonly elemType: ProtoType };
  readonly mapType?: { readonly keyType: ProtoType; readonly valueType: ProtoType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
}

const PRIMITIVES: Readonly<Record<string, Type<unknown>>> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

/** Returns the type of a declaration. */
export function typeFrom(proto: ProtoType): Type<unknown> {
  if (proto.primitive !== undefined) return PRIMITIVES[proto.primitive]!;
  if (proto.wrapper !== undefined) return nullable(PRIMITIVES[proto.wrapper]!);
  if (proto.wellKnown !== undefined) return { ANY, DURATION, TIMESTAMP }[proto.wellKnown]!;
  if (proto.messageType !== undefined) return messageType(proto.messageType);
  if (proto.typeParam !== undefined) return parameter(proto.typeParam);
  if (proto.listType !== undefined) return listOf(typeFrom(proto.listType.elemType));
  if (proto.mapType !== undefined) return mapOf(typeFrom(proto.mapType.keyType), typeFrom(proto.mapType.valueType));
  if (proto.type !== undefined) return Object.keys(proto.type).length === 0 ? typeOf() : typeOf(typeFrom(proto.type));
  if (proto.abstractType !== undefined) {
    return opaqueType(proto.abstractType.name, (proto.abstractType.parameterTypes ?? []).map(typeFrom));
  }
  if (proto.null !== undefined) return NULL;
  if (proto.error !== undefined) return ERROR;
  return DYN;
}

const WELL_KNOWN: Readonly<Record<string, Type<unknown>>> = {
  'google.protobuf.Any': ANY,
  'google.protobuf.Duration': DURATION,
  'google.protobuf.Timestamp': TIMESTAMP,
  'google.protobuf.Value': DYN,
  'google.protobuf.ListValue': listOf(DYN),
  'google.protobuf.Struct': mapOf(STRING, DYN),
  'google.protobuf.BoolValue': nullable(BOOL),
  'google.protobuf.BytesValue': nullable(BYTES),
  'google.protobuf.DoubleValue': nullable(DOUBLE),
  'google.protobuf.FloatValue': nullable(DOUBLE),
  'google.protobuf.Int32Value': nullable(INT),
  'google.protobuf.Int64Value': nullable(INT),
  'google.protobuf.UInt32Value': nullable(UINT),
  'google.protobuf.UInt64Value': nullable(UINT),
  'google.protobuf.StringValue': nullable(STRING),
};

/** cel-go's own tests use other names for the messages. */
const inConformance = (name: string) => name.replace(/^google\.expr\.(proto[23])\.test\./, 'cel.expr.conformance.$1.');
const inTests = (name: string) => name.replace(/^cel\.expr\.conformance\.(proto[23])\./, 'google.expr.$1.test.');

function messageType(name: string): Type<unknown> {
  return WELL_KNOWN[name] ?? structType(name);
}

function renamed(type: Type<unknown>): Type<unknown> {
  return new Type(type.kind, inTests(type.name), type.parameters.map(renamed));
}

function scalarType(scalar: ScalarType): Type<unknown> {
  switch (scalar) {
    case ScalarType.BOOL:
      return BOOL;
    case ScalarType.STRING:
      return STRING;
    case ScalarType.BYTES:
      return BYTES;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return DOUBLE;
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return UINT;
    default:
      return INT;
  }
}

function fieldType(field: DescField): Type<unknown> {
  const single = (of: { scalar?: ScalarType; message?: DescMessage; enum?: { typeName: string } }): Type<unknown> => {
    if (of.message !== undefined) return messageType(of.message.typeName);
    return of.enum !== undefined ? INT : scalarType(of.scalar!);
  };
  switch (field.fieldKind) {
    case 'map':
      return mapOf(scalarType(field.mapKey), single(field));
    case 'list':
      return listOf(single(field));
    default:
      return single(field);
  }
}

/** The messages and enums of the conformance tests, and their aliases in cel-go's tests. */
export function messageTypes(): TypeProvider {
  const registry = getTestRegistry();
  return {
    struct(name) {
      const message = registry.getMessage(inConformance(name));
      if (message === undefined) return undefined;
      const isTest = inConformance(name) !== name;
      const typeOfField = (field: DescField) => (isTest ? renamed(fieldType(field)) : fieldType(field));
      const fields = new Map(message.fields.map((field) => [field.name, typeOfField(field)]));
      return { type: messageType(name), fields };
    },
    constant(name) {
      const dot = name.lastIndexOf('.');
      const members = registry.getEnum(inConformance(name.slice(0, dot)))?.values;
      const member = members?.find((value) => value.name === name.slice(dot + 1));
      return member && { type: INT, value: member.number };
    },
  };
}
