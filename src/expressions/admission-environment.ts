// CEL environments of admission: policies, their variables, match conditions.

import type { Environment, Variable } from '../cel/environment.ts';
import {
  DYN,
  listOf,
  mapOf,
  type StructDescription,
  structType,
  type Type,
  type TypeProvider,
} from '../cel/types/type.ts';
import { ADMISSION_REQUEST, ADMISSION_TYPES, NAMESPACE_OBJECT } from './admission-types.ts';
import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from './authorizer.ts';
import type { Environments } from './environments.ts';
import { JSON_PATCHES } from './json-patch.ts';
import type { NodeTypes } from './node-types.ts';
import { PATCH_OBJECT_TYPES } from './patch-object.ts';

interface AdmissionScope {
  /** Whether there is a parameter object: `params`. */
  readonly hasParams: boolean;
  /** Whether there is an `authorizer`. */
  readonly hasAuthorizer: boolean;
  /** Whether expressions create patches: `Object{}` and `JSONPatch{}`. */
  readonly hasPatches?: boolean;
  /** The types of objects and parameters, if their kinds are known. */
  readonly kinds?: { readonly object: NodeTypes; readonly params: NodeTypes | undefined };
}

const REQUEST_VARIABLES: readonly Variable[] = [
  { name: 'namespaceObject', type: NAMESPACE_OBJECT },
  { name: 'request', type: ADMISSION_REQUEST },
];
const AUTHORIZER_VARIABLES: readonly Variable[] = [
  { name: 'authorizer', type: AUTHORIZER_TYPE },
  { name: 'authorizer.requestResource', type: RESOURCE_CHECK_TYPE },
];

/** The environments of admission, based on those of Kubernetes. */
export function admissionEnvironments(
  environments: Environments,
  { hasParams, hasAuthorizer, hasPatches = false, kinds }: AdmissionScope,
  composition?: VariableTypes,
): Environments {
  const object = kinds?.object.root ?? DYN;
  const variables: Variable[] = [
    { name: 'object', type: object },
    { name: 'oldObject', type: object },
    ...REQUEST_VARIABLES,
  ];
  if (hasParams) variables.push({ name: 'params', type: kinds?.params?.root ?? DYN });
  if (hasAuthorizer) variables.push(...AUTHORIZER_VARIABLES);
  const made = new Map<Environment, Environment>();
  return {
    for: (expression) => {
      const base = environments.for(expression);
      let environment = made.get(base);
      if (environment === undefined) {
        environment = base.extend({ variables, types: ADMISSION_TYPES });
        if (composition !== undefined) {
          environment = environment.extend({ variables: [composition.variable], types: composition });
        }
        for (const types of [kinds?.object, kinds?.params]) {
          if (types !== undefined) environment = environment.extend({ types });
        }
        if (hasPatches) environment = environment.extend({ libraries: [JSON_PATCHES], types: PATCH_OBJECT_TYPES });
        made.set(base, environment);
      }
      return environment;
    },
  };
}

const VARIABLES = structType('kubernetes.variables');

/** The types of a policy's variables: each variable is added and available to the next. */
export class VariableTypes implements TypeProvider {
  readonly variable: Variable = { name: 'variables', type: VARIABLES };
  readonly #fields = new Map<string, Type<unknown>>();

  /** @param type of the variable's expression; undefined if it does not compile */
  add(name: string, type: Type<unknown> | undefined): void {
    this.#fields.set(name, type === undefined ? DYN : plainType(type));
  }

  struct(name: string): StructDescription | undefined {
    return name === VARIABLES.name ? { type: VARIABLES, fields: this.#fields } : undefined;
  }

  constant(): undefined {
    return undefined;
  }
}

/** Struct types belong to the environment that declares them; variables have type dyn. */
function plainType(type: Type<unknown>): Type<unknown> {
  const [first, second] = type.parameters;
  switch (type.kind) {
    case 'list':
      return listOf(plainType(first as Type<unknown>));
    case 'map':
      return mapOf(plainType(first as Type<unknown>), plainType(second as Type<unknown>));
    case 'struct':
    case 'opaque':
    case 'type':
    case 'wrapper':
      return DYN;
    default:
      return type;
  }
}
