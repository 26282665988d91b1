import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import fc from 'fast-check';

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('name', 'size', 'items', 'disks', 'policies', 'template', 'spec', 'status') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '$ref',
      'x-y',
      'class',
      'default',
      'constructor',
      '3d',
      'ä',
      'kind',
      'field',
      'record',
      'array',
    ),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z][A-Za-z0-9_.-]{0,8}$/) },
);
const description = fc.option(
  fc.constantFrom(
    'One line.',
    'Two\nlines.',
    'A */ in it, and {@link x}.',
    '@tag\n- a list',
    'word '.repeat(60).trim(),
  ),
  { nil: undefined },
);
const size = fc.option(fc.nat(9), { nil: undefined });

/** Removes undefined keywords from a schema. */
function reported(schema: object): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const scalar: fc.Arbitrary<StructuralSchema> = fc.oneof(
  fc
    .record({
      minLength: size,
      format: fc.constantFrom(undefined, 'uri', 'date-time', 'odd'),
      description,
      nullable: fc.constantFrom(undefined, true),
    })
    .map((keywords) => reported({ type: 'string', ...keywords })),
  fc
    .record({
      pattern: fc.constantFrom('^a$', '/', '(?i)x', "'", '"', '\\d+', '`${x}`', '\\\\'),
      default: fc.constantFrom(undefined, 'a', "it's"),
    })
    .map((keywords) => reported({ type: 'string', ...keywords })),
  fc
    .uniqueArray(fc.constantFrom('', 'A', "B's", 'C"', 'D\n'), { minLength: 1 })
    .map((members) => ({ type: 'string', enum: members, default: members[0] })),
  fc
    .record({
      format: fc.constantFrom(undefined, 'int32', 'int64'),
      minimum: size,
      default: fc.constantFrom(undefined, 10),
    })
    .map((keywords) => reported({ type: 'integer', ...keywords })),
  fc.constantFrom<StructuralSchema>(
    { type: 'boolean' },
    { type: 'boolean', default: true, title: 'A' },
    { type: 'number' },
    { type: 'number', format: 'double', maximum: 0.5 },
    { 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object' },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], default: '5%' },
    { 'x-kubernetes-int-or-string': true },
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'string', 'x-kubernetes-validations': [{ rule: "self != 'x'", message: "not 'x'" }] },
    { type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^$' }] },
  ),
);

/** Generates names of fields of a spec or a status. Excludes `constructor`, because a class cannot have a field with this name. */
const fit = name.filter((each) => each !== 'constructor');

const { schema } = fc.letrec<{ schema: StructuralSchema; object: StructuralSchema }>((tie) => ({
  object: fc
    .record({
      fields: fc.dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
      description,
      mapType: fc.constantFrom(undefined, 'atomic'),
      open: fc.constantFrom(undefined, undefined, true),
      limit: fc.constantFrom(undefined, undefined, 3),
      required: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ fields, mapType, open, limit, required, ...keywords }) => {
      const names = Object.keys(fields).filter((_, at) => required[at]);
      return reported({
        type: 'object',
        properties: fields,
        required: names.length === 0 ? undefined : names,
        'x-kubernetes-map-type': mapType,
        'x-kubernetes-preserve-unknown-fields': open,
        maxProperties: limit,
        ...keywords,
      });
    }),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('object'),
    fc
      .record({ items: tie('schema'), maxItems: size, description })
      .map((keywords) => reported({ type: 'array', ...keywords })),
    fc
      .record({ additionalProperties: tie('schema'), minProperties: size })
      .map((keywords) => reported({ type: 'object', ...keywords })),
    tie('object').map((items) => reported({ type: 'array', 'x-kubernetes-list-type': 'atomic', items })),
  ),
}));

/** Generates definitions with random schemas. */
export const definitions: fc.Arbitrary<CustomResourceDefinition> = fc
  .record({
    kind: fc.constantFrom('Parcel', 'Rule', 'Schema', 'Ab', 'Record'),
    spec: fc.dictionary(fit, schema, { minKeys: 1, maxKeys: 8, noNullPrototype: true }),
    status: fc.option(fc.dictionary(fit, schema, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), {
      nil: undefined,
    }),
    isRequired: fc.boolean(),
    fallback: fc.constantFrom(undefined, {}),
  })
  .map(({ kind, ...parts }) => definitionOf(kind, parts));

function definitionOf(
  kind: string,
  {
    spec,
    status,
    isRequired,
    fallback,
  }: {
    readonly spec: Readonly<Record<string, StructuralSchema>>;
    readonly status: Readonly<Record<string, StructuralSchema>> | undefined;
    readonly isRequired: boolean;
    readonly fallback: object | undefined;
  },
): CustomResourceDefinition {
  const word = kind.toLowerCase();
  const root = reported({
    type: 'object',
    required: isRequired ? ['spec'] : undefined,
    properties: reported({
      spec: reported({ type: 'object', properties: spec, default: fallback }),
      status: status && reported({ type: 'object', properties: status, default: fallback }),
    }),
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${word}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `${word}s`, singular: word },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(status === undefined ? {} : { subresources: { status: {} } }),
          schema: { openAPIV3Schema: root },
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
}
