import { definitions as meta } from '../../generated/meta/v1-definitions.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import type { Fields } from '../check/environment.js';
import { type CelType, celTypes, listOf, mapOf, structType } from '../values/cel-type.js';
import { OBJECT_TYPE } from './constructed-values.js';
import type { ObjectPathTypes } from './patch-types.js';

/** The schemas of the variables of a policy. A variable without a schema has the type dyn. */
export interface AdmissionSchemas {
  /** The schema of `object` and `oldObject`. */
  readonly object?: StructuralSchema | undefined;
  /** The schema of `params`. */
  readonly params?: StructuralSchema | undefined;
}

/**
 * The types of the variables of a policy, from the schemas of their kinds. Expressions of admission read plain JSON. Therefore, the types
 * differ from the types in the rules of a schema: timestamps and durations are strings, and names of fields are not escaped. Numbers have
 * the type dyn, because JSON does not distinguish 1 from 1.0.
 */
export class DeclaredObjects {
  /** The type of `object` and `oldObject`. */
  readonly object: CelType;
  /** The type of `params`. */
  readonly params: CelType;
  /** The types of the objects that mutations construct. Undefined without a schema. */
  readonly constructible: ObjectPathTypes | undefined;
  readonly #fields = new Map<string, Fields>();
  readonly #known = new Map<StructuralSchema, CelType>();

  constructor({ object, params }: AdmissionSchemas) {
    const root = object === undefined ? undefined : withMetadata(object);
    this.object = root === undefined ? celTypes.dyn : this.#type(root, 'object');
    this.params = params === undefined ? celTypes.dyn : this.#type(withMetadata(params), 'params');
    this.constructible = root === undefined ? undefined : this.#constructibleTypes(root);
  }

  /** The fields of all declared objects, keyed by the name of the type. */
  get fields(): ReadonlyMap<string, Fields> {
    return this.#fields;
  }

  #type(schema: StructuralSchema, name: string): CelType {
    const { type, items, additionalProperties, properties } = schema;
    if (isAnything(schema)) return celTypes.dyn;
    if (type === 'string') return celTypes.string;
    if (type === 'boolean') return celTypes.bool;
    if (type === 'integer') return celTypes.int;
    if (type === 'array') return listOf(items === undefined ? celTypes.dyn : this.#type(items, `${name}[]`));
    if (type !== 'object') return celTypes.dyn;
    if (properties !== undefined) return this.#objectType(schema, properties, name);
    return typeof additionalProperties === 'object'
      ? mapOf(celTypes.string, this.#type(additionalProperties, `${name}[]`))
      : celTypes.dyn;
  }

  /** Returns the same type for each occurrence of a schema, because schemas of built-in kinds can contain themselves. */
  #objectType(schema: StructuralSchema, properties: Readonly<Record<string, StructuralSchema>>, name: string): CelType {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const type = structType(name);
    this.#known.set(schema, type);
    const fields = Object.entries(properties).map(
      ([field, each]) => [field, this.#type(each, `${name}.${field}`)] as const,
    );
    this.#fields.set(name, new Map(fields));
    return type;
  }

  #constructibleTypes(root: StructuralSchema): ObjectPathTypes {
    const at = (typeName: string): StructuralSchema | undefined => {
      const [first, ...path] = typeName.split('.');
      return first === OBJECT_TYPE ? path.reduce<StructuralSchema | undefined>(fieldWithin, root) : undefined;
    };
    const names = (typeName: string): readonly string[] => Object.keys(withoutLists(at(typeName))?.properties ?? {});
    return {
      names,
      find: (typeName) => (at(typeName) === undefined ? undefined : structType(typeName)),
      field: (typeName, name) => {
        const field = fieldWithin(at(typeName), name);
        return field === undefined ? undefined : assignable(this.#type(field, name));
      },
    };
  }
}

/**
 * Returns the type with which a field of a constructed object is checked. An object can be constructed or copied from a variable, so a
 * field that contains objects has the type dyn.
 */
function assignable(type: CelType): CelType {
  const isScalar = (each: CelType): boolean => each.kind !== 'struct' && each.parameters.every(isScalar);
  return isScalar(type) ? type : celTypes.dyn;
}

/** Returns the schema of a field of an object, or of the objects in a list or a map. Returns undefined if the field does not exist. */
function fieldWithin(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const within = withoutLists(schema);
  if (within === undefined) return undefined;
  const { type, properties } = within;
  if (isAnything(within) || (type === 'object' && properties === undefined)) return {};
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/**
 * Returns the schema of the innermost elements of nested lists and maps. The names of types do not contain lists and maps: the type of the
 * elements of `spec.containers` is `Object.spec.containers`.
 */
function withoutLists(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  if (schema === undefined || isAnything(schema)) return schema;
  if (schema.type === 'array') return withoutLists(schema.items ?? {});
  return typeof schema.additionalProperties === 'object' ? withoutLists(schema.additionalProperties) : schema;
}

/** Whether expressions can read values of any type, or fields that the schema does not declare. */
function isAnything(schema: StructuralSchema): boolean {
  return (
    schema.type === undefined ||
    schema.nullable === true ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true
  );
}

/** Returns the schema of an object with all fields of its metadata, which the schema of a custom resource does not declare. */
function withMetadata(schema: StructuralSchema): StructuralSchema {
  const text: StructuralSchema = { type: 'string' };
  const metadata = meta.schema('ObjectMeta') ?? {};
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}
