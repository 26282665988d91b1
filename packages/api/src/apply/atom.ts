import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { OBJECT_META } from './object-meta-schema.js';

export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListAtom {
  readonly atomic: boolean;
  /** The key fields of a list of type map. Empty for a set and for an atomic list. */
  readonly keys: readonly string[];
  readonly items: Type;
  /** Returns the default of a key field. */
  keyDefault(key: string): unknown;
}

export interface MapAtom {
  readonly atomic: boolean;
  /** Whether `properties` of the schema contains the field. Keys that only `additionalProperties` allows are not declared. */
  declares(name: string): boolean;
  /** Returns the type of a field, or undefined if the schema does not allow the field. */
  field(name: string): Type | undefined;
  /** Whether the map declares no fields and every field has the type `DEDUCED`. */
  readonly deduced: boolean;
}

/** The types that a value can have: a scalar, a list, a map, or several of them if the schema allows more than one. */
export interface Atom {
  readonly scalar?: ScalarKind;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

/** A function that returns an atom. The atom is created on first use, because a schema can refer to itself. */
export type Type = () => Atom;

const UNTYPED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => UNTYPED, keyDefault: () => undefined },
  map: { atomic: true, declares: () => false, field: () => () => UNTYPED, deduced: false },
};
/** The type of values without a schema: maps merge, lists are atomic. */
export const DEDUCED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => UNTYPED, keyDefault: () => undefined },
  map: { atomic: false, declares: () => false, field: () => () => DEDUCED, deduced: true },
};

const roots = new WeakMap<StructuralSchema, Atom>();
const granular = new WeakMap<StructuralSchema, Atom>();
const preserving = new WeakMap<StructuralSchema, Atom>();

/** Returns the type of a whole object. `apiVersion`, `kind` and `metadata` have the types that the API server uses. */
export function rootAtom(schema: StructuralSchema): Atom {
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const open = schema.properties === undefined && schema.additionalProperties === undefined;
  const atom = objectAtom(withObjectFields(schema), open);
  roots.set(schema, atom);
  return atom;
}

/**
 * Returns an atom with only the type that matches the value: the scalar, the list or the map of the given atom. Returns the given atom if
 * no type matches, or if the value is null or undefined.
 */
export function deduce(atom: Atom, value: unknown): Atom {
  if (value === undefined || value === null) return atom;
  if (Array.isArray(value)) {
    if (atom.list === undefined || (atom.map === undefined && atom.scalar === undefined)) return atom;
    return { list: atom.list };
  }
  if (isJsonObject(value)) {
    if (atom.map === undefined || (atom.list === undefined && atom.scalar === undefined)) return atom;
    return { map: atom.map };
  }
  if (atom.scalar === undefined || (atom.list === undefined && atom.map === undefined)) return atom;
  return { scalar: atom.scalar };
}

/** Whether two results of `deduce` for the same atom are the same type. */
export function samePart(a: Atom, b: Atom): boolean {
  return a.scalar === b.scalar && a.list === b.list && a.map === b.map;
}

function withObjectFields(schema: StructuralSchema): StructuralSchema {
  const declared = schema.properties ?? {};
  const metadata =
    declared['metadata']?.properties?.['ownerReferences'] === undefined ? OBJECT_META : declared['metadata'];
  const properties = { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...declared, metadata };
  return { ...schema, properties };
}

function atomOf(schema: StructuralSchema, inherited: boolean): Atom {
  const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const known = (preserve ? preserving : granular).get(schema);
  if (known !== undefined) return known;
  const atom = makeAtom(schema, preserve);
  (preserve ? preserving : granular).set(schema, atom);
  return atom;
}

function makeAtom(schema: StructuralSchema, preserve: boolean): Atom {
  switch (schema.type ?? '') {
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true
        ? objectAtom(withObjectFields(schema), preserve)
        : objectAtom(schema, preserve);
    case 'array':
      return { list: listAtom(schema, preserve) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listAtom(schema, preserve), ...objectAtom(schema, preserve) };
  }
}

function objectAtom(schema: StructuralSchema, inherited: boolean): Atom {
  const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const others = otherFields(schema, preserve);
  const map: MapAtom = {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    declares: (name) => properties.has(name),
    field: (name) => {
      const property = properties.get(name);
      return property === undefined ? others : () => atomOf(property, preserve);
    },
    deduced: properties.size === 0 && others?.() === DEDUCED,
  };
  return { map };
}

function otherFields(schema: StructuralSchema, preserve: boolean): Type | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') return () => atomOf(additional, preserve);
  const open = additional ?? (preserve || Object.keys(schema.properties ?? {}).length === 0);
  return open ? () => DEDUCED : undefined;
}

function listAtom(schema: StructuralSchema, preserve: boolean): ListAtom {
  const { items } = schema;
  const relation = listRelation(schema);
  return {
    ...relation,
    items: items === undefined ? () => UNTYPED : () => atomOf(items, preserve),
    keyDefault: (key) => items?.properties?.[key]?.default,
  };
}

function listRelation(schema: StructuralSchema): { readonly atomic: boolean; readonly keys: readonly string[] } {
  switch (schema['x-kubernetes-list-type']) {
    case 'atomic':
      return { atomic: true, keys: [] };
    case 'set':
      return { atomic: false, keys: [] };
    case 'map':
      return { atomic: false, keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  }
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { atomic: true, keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return { atomic: false, keys: key === undefined ? [] : [key] };
}
