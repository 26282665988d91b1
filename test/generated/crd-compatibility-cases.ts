import type { CompatibilityClass } from '@kubewright/api/crd-compatibility';
import type { StructuralSchema } from '@kubewright/api/schema';

/** The behavior of a server that shows the effect of a breaking change. */
export type Shown =
  /** The server rejects this merge patch of the field. */
  | { readonly editRefused: unknown }
  /** The server rejects an apply of the stored value. */
  | 'apply is refused'
  /** The server rejects a change to a label. */
  | 'label is refused'
  /** The server returns another value for the stored object. */
  | { readonly reads: unknown }
  /** A new object with the same value in the request gets another value. */
  | { readonly makes: unknown }
  /** An apply by another field manager drops the value. */
  | { readonly appliedOver: unknown; readonly leaves: unknown };

/** A field whose schema changes, and a value that shows the effect of the change. */
export interface FieldCase {
  readonly before: StructuralSchema;
  readonly after: StructuralSchema;
  readonly class: CompatibilityClass;
  /** The path of the finding, relative to the field. @default '' */
  readonly at?: string;
  /** A substring of the `change` of the finding. */
  readonly says: string;
  /** A value that is valid under the old schema. If undefined, the object does not have the field. */
  readonly value: unknown;
  /** The behavior of the server after a breaking change. Undefined for other changes. */
  readonly shown?: Shown;
}

const text: StructuralSchema = { type: 'string' };
const integer: StructuralSchema = { type: 'integer' };
const anything: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };
const list = (items: StructuralSchema, more: StructuralSchema = {}): StructuralSchema => ({
  type: 'array',
  items,
  ...more,
});
const object = (properties: Record<string, StructuralSchema>, more: StructuralSchema = {}): StructuralSchema => ({
  type: 'object',
  properties,
  ...more,
});
const rule = (cel: string): StructuralSchema => ({ 'x-kubernetes-validations': [{ rule: cel }] });
const named = object({ name: text, size: integer }, { required: ['name'] });
const byName: StructuralSchema = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const bySize: StructuralSchema = {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name', 'size'],
};
const sized = object({ name: text, size: { ...integer, default: 0 } }, { required: ['name'] });

/** One schema change for each field, by the name of the field. */
export const fieldCases: Readonly<Record<string, FieldCase>> = {
  lowerMaximum: {
    before: { ...integer, maximum: 10 },
    after: { ...integer, maximum: 5 },
    class: 'ratcheted',
    says: 'maximum 10 → 5',
    value: 7,
  },
  higherMaximum: {
    before: { ...integer, maximum: 5 },
    after: { ...integer, maximum: 10 },
    class: 'safe',
    says: 'maximum 5 → 10',
    value: 5,
  },
  exclusiveMinimum: {
    before: { ...integer, minimum: 1 },
    after: { ...integer, minimum: 1, exclusiveMinimum: true },
    class: 'ratcheted',
    says: 'minimum 1 → 1 (exclusive)',
    value: 1,
  },
  multipleOf: {
    before: { ...integer, multipleOf: 2 },
    after: { ...integer, multipleOf: 4 },
    class: 'ratcheted',
    says: 'multipleOf 2 → 4',
    value: 2,
  },
  multipleOfDivisor: {
    before: { ...integer, multipleOf: 4 },
    after: { ...integer, multipleOf: 2 },
    class: 'safe',
    says: 'multipleOf 4 → 2',
    value: 4,
  },
  shorter: {
    before: text,
    after: { ...text, maxLength: 2 },
    class: 'ratcheted',
    says: 'maxLength none → 2',
    value: 'abc',
  },
  longer: {
    before: text,
    after: { ...text, minLength: 2 },
    class: 'ratcheted',
    says: 'minLength none → 2',
    value: 'a',
  },
  newPattern: {
    before: text,
    after: { ...text, pattern: '^b' },
    class: 'ratcheted',
    says: 'pattern added: ^b',
    value: 'a',
  },
  newFormat: {
    before: text,
    after: { ...text, format: 'ipv4' },
    class: 'ratcheted',
    says: 'format none → ipv4',
    value: 'nowhere',
  },
  narrowInteger: {
    before: { ...integer, format: 'int64' },
    after: { ...integer, format: 'int32' },
    class: 'ratcheted',
    says: 'format int64 → int32',
    value: 2 ** 40,
  },
  unknownFormat: {
    before: text,
    after: { ...text, format: 'colour' },
    class: 'safe',
    says: 'format none → colour',
    value: 'a',
  },
  enumWithout: {
    before: { ...text, enum: ['a', 'b'] },
    after: { ...text, enum: ['b', 'c'] },
    class: 'ratcheted',
    says: 'enum values',
    value: 'a',
  },
  enumRemoved: { before: { ...text, enum: ['a'] }, after: text, class: 'safe', says: 'enum removed', value: 'a' },
  fewerItems: {
    before: list(text),
    after: list(text, { maxItems: 1 }),
    class: 'ratcheted',
    says: 'maxItems none → 1',
    value: ['a', 'b'],
  },
  moreProperties: {
    before: { type: 'object', additionalProperties: text },
    after: { type: 'object', additionalProperties: text, minProperties: 2 },
    class: 'ratcheted',
    says: 'minProperties none → 2',
    value: { a: 'b' },
  },
  item: {
    before: list(text),
    after: list({ ...text, maxLength: 1 }),
    class: 'ratcheted',
    at: '[*]',
    says: 'maxLength none → 1',
    value: ['ab'],
  },
  mapValue: {
    before: { type: 'object', additionalProperties: text },
    after: { type: 'object', additionalProperties: { ...text, maxLength: 1 } },
    class: 'ratcheted',
    at: '[*]',
    says: 'maxLength none → 1',
    value: { a: 'ab' },
  },
  anyOf: {
    before: object({ a: text, b: text }),
    after: object({ a: text, b: text }, { anyOf: [{ required: ['b'] }] }),
    class: 'ratcheted',
    says: 'anyOf added',
    value: { a: 'a' },
  },
  oneOf: {
    before: object({ a: text, b: text }),
    after: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    class: 'ratcheted',
    says: 'oneOf added',
    value: { a: 'a', b: 'b' },
  },
  allOf: {
    before: text,
    after: { ...text, allOf: [{ maxLength: 1 }] },
    class: 'ratcheted',
    says: 'allOf added: {"maxLength":1}',
    value: 'ab',
  },
  not: {
    before: text,
    after: { ...text, not: { enum: ['a'] } },
    class: 'ratcheted',
    says: 'not added',
    value: 'a',
  },
  notAroundUnknown: {
    before: object({ a: anything, b: text }),
    after: object({ a: anything, b: text }, { not: { required: ['b'] } }),
    class: 'breaking',
    says: 'not added',
    value: { a: { x: 1 }, b: 'b' },
    shown: 'label is refused',
  },
  ruleOnValue: {
    before: integer,
    after: { ...integer, ...rule('self < 3') },
    class: 'ratcheted',
    says: 'rule added: self < 3',
    value: 4,
  },
  ruleOnObject: {
    before: object({ a: text, b: text }),
    after: object({ a: text, b: text }, rule('has(self.b)')),
    class: 'ratcheted',
    says: 'rule added: has(self.b)',
    value: { a: 'a' },
  },
  ruleRemoved: {
    before: { ...integer, ...rule('self < 3') },
    after: integer,
    class: 'safe',
    says: 'rule removed: self < 3',
    value: 2,
  },
  immutable: {
    before: integer,
    after: { ...integer, ...rule('self == oldSelf') },
    class: 'ratcheted',
    says: 'rule added: self == oldSelf',
    value: 4,
  },
  transition: {
    before: integer,
    after: { ...integer, ...rule('self > oldSelf') },
    class: 'breaking',
    says: 'rule added: self > oldSelf',
    value: 4,
    shown: 'label is refused',
  },
  fieldRemoved: {
    before: object({ a: text, b: text }),
    after: object({ a: text }),
    class: 'breaking',
    at: '.b',
    says: 'field removed',
    value: { a: 'a', b: 'b' },
    shown: { reads: { a: 'a' } },
  },
  fieldNew: {
    before: object({ a: text }),
    after: object({ a: text, b: text }),
    class: 'safe',
    at: '.b',
    says: 'field added',
    value: { a: 'a' },
  },
  requiredNew: {
    before: object({ a: text }),
    after: object({ a: text, b: text }, { required: ['b'] }),
    class: 'breaking',
    at: '.b',
    says: 'required field added',
    value: { a: 'a' },
    shown: { editRefused: { a: 'b' } },
  },
  requiredNow: {
    before: object({ a: text, b: text }),
    after: object({ a: text, b: text }, { required: ['b'] }),
    class: 'breaking',
    at: '.b',
    says: 'optional → required',
    value: { a: 'a' },
    shown: { editRefused: { a: 'b' } },
  },
  optionalNow: {
    before: object({ a: text, b: text }, { required: ['b'] }),
    after: object({ a: text, b: text }),
    class: 'safe',
    at: '.b',
    says: 'required → optional',
    value: { b: 'b' },
  },
  defaultUnderRule: {
    before: object({ a: text, b: text }, rule('!has(self.b)')),
    after: object({ a: text, b: { ...text, default: 'b' } }, rule('!has(self.b)')),
    class: 'breaking',
    at: '.b',
    says: 'default added: "b"',
    value: { a: 'a' },
    shown: { editRefused: { a: 'b' } },
  },
  defaultChanged: {
    before: object({ a: text, b: { ...text, default: 'b' } }),
    after: object({ a: text, b: { ...text, default: 'c' } }),
    class: 'breaking',
    at: '.b',
    says: 'default "b" → "c"',
    value: { a: 'a' },
    shown: { makes: { a: 'a', b: 'c' } },
  },
  defaultRemoved: {
    before: object({ a: text, b: { ...text, default: 'b' } }),
    after: object({ a: text, b: text }),
    class: 'breaking',
    at: '.b',
    says: 'default "b" removed',
    value: { a: 'a' },
    shown: { makes: { a: 'a' } },
  },
  typeChanged: {
    before: text,
    after: integer,
    class: 'breaking',
    says: 'type string → integer',
    value: '5',
    shown: 'apply is refused',
  },
  anyNumber: { before: integer, after: { type: 'number' }, class: 'safe', says: 'type integer → number', value: 3 },
  intOrString: {
    before: integer,
    after: { 'x-kubernetes-int-or-string': true },
    class: 'safe',
    says: 'type integer → int-or-string',
    value: 3,
  },
  onlyInteger: {
    before: { 'x-kubernetes-int-or-string': true },
    after: integer,
    class: 'breaking',
    says: 'type int-or-string → integer',
    value: '50%',
    shown: 'apply is refused',
  },
  nullableRemoved: {
    before: object({ a: { ...text, nullable: true } }),
    after: object({ a: text }),
    class: 'breaking',
    at: '.a',
    says: 'nullable removed',
    value: { a: null },
    shown: { reads: {} },
  },
  unknownRemoved: {
    before: { type: 'object', ...anything },
    after: object({}),
    class: 'breaking',
    says: 'x-kubernetes-preserve-unknown-fields removed',
    value: { a: 1 },
    shown: { reads: {} },
  },
  mapRemoved: {
    before: { type: 'object', additionalProperties: text },
    after: object({ a: text }),
    class: 'breaking',
    says: 'additionalProperties removed',
    value: { a: 'a', b: 'b' },
    shown: { reads: { a: 'a' } },
  },
  embedded: {
    before: { type: 'object', ...anything },
    after: { type: 'object', ...anything, 'x-kubernetes-embedded-resource': true },
    class: 'breaking',
    says: 'x-kubernetes-embedded-resource added',
    value: { a: 1 },
    shown: 'label is refused',
  },
  setNow: {
    before: list(text),
    after: list(text, { 'x-kubernetes-list-type': 'set' }),
    class: 'ratcheted',
    says: 'x-kubernetes-list-type atomic → set',
    value: ['a', 'a'],
  },
  mapNow: {
    before: list(named),
    after: list(named, byName),
    class: 'ratcheted',
    says: 'x-kubernetes-list-type atomic → map by name',
    value: [{ name: 'a' }, { name: 'a' }],
  },
  atomicNow: {
    before: list(text, { 'x-kubernetes-list-type': 'set' }),
    after: list(text),
    class: 'breaking',
    says: 'x-kubernetes-list-type set → atomic',
    value: ['a'],
    shown: { appliedOver: ['b'], leaves: ['b'] },
  },
  keysChanged: {
    before: list(sized, bySize),
    after: list(sized, byName),
    class: 'breaking',
    says: 'x-kubernetes-list-map-keys name, size → name',
    value: [
      { name: 'a', size: 1 },
      { name: 'a', size: 2 },
    ],
    shown: 'apply is refused',
  },
  atomicMap: {
    before: { type: 'object', additionalProperties: text },
    after: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    class: 'breaking',
    says: 'x-kubernetes-map-type granular → atomic',
    value: { a: 'a' },
    shown: { appliedOver: { b: 'b' }, leaves: { b: 'b' } },
  },
  described: {
    before: text,
    after: { ...text, description: 'What it is.' },
    class: 'safe',
    says: 'description',
    value: 'a',
  },
};
