import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ResourceRequirements } from '@kubewright/api/core/v1';
import { partSchemaOf } from '@kubewright/api/metadata';
import { ageColumn, widgetDefinition, widgetWithSpec } from '../test-support/widget-definition.js';
import { classesOf } from './classes-of.js';

const textOf = (definition: CustomResourceDefinition): string => classesOf(definition)[0]?.text ?? '';
const code = (of: string | undefined): string =>
  String(of)
    .replace(/^import[\s\S]*?;\n\n/, '')
    .trim();

describe('the class of a kind', () => {
  it('classesOf rejects a definition with a top-level field named constructor', () => {
    const properties = { spec: { type: 'object' }, constructor: { type: 'string' } };
    assert.throws(() => classesOf(widgetDefinition({ properties })), {
      code: 'UNSUPPORTED_KIND',
      message:
        "cannot generate classes for Widget example.com/v1: it has a property 'constructor'; declare the kind with defineKind, or use dynamicKind('example.com/v1', 'Widget')",
    });
  });

  it('a kind has a status class and no spec class if its schema describes only the status', () => {
    const status = { type: 'object', properties: { primary: { type: 'string' } } };
    const definition = widgetDefinition({ properties: { status } }, {}, { subresources: { status: {} } });
    assert.match(textOf(definition), /class Widget extends CustomResource\(undefined, WidgetStatus\) \{\}/);
    assert.deepEqual(classesOf(definition)[0]?.differences, []);
  });

  it('a kind declares top-level fields other than spec and status in a separate class', () => {
    const operation = { type: 'object', properties: { sync: { type: 'boolean' } } };
    const rules = { type: 'array', items: { type: 'string' } };
    const properties = { spec: { type: 'object' }, operation, rules };
    assert.equal(
      code(textOf(widgetDefinition({ required: ['spec', 'rules'], properties }))),
      `@Schema({})
export class WidgetSpec {}

export class Operation {
  @Field.boolean({ optional: true }) sync?: boolean;
}

export class WidgetTopLevel {
  @Field.object(Operation, { optional: true }) operation?: Operation;
  @Field.list(Field.string()) rules!: string[];
}

@Kind({ group: 'example.com', version: 'v1' })
export class Widget extends CustomResource(WidgetSpec, undefined, { topLevel: WidgetTopLevel }) {}`,
    );
  });

  it('a kind declares its spec and status as top-level fields if the spec and the status are maps', () => {
    const map = { type: 'object', additionalProperties: { type: 'string' } };
    const definition = widgetDefinition(
      { properties: { spec: map, status: map } },
      {},
      { subresources: { status: {} } },
    );
    const text = code(textOf(definition));
    assert.match(text, /@Field\.map\(Field\.string\(\), \{ optional: true \}\) spec\?: Record<string, string>;/);
    assert.ok(
      text.endsWith(`export class Widget extends CustomResource(undefined, undefined, {
  statusSubresource: true,
  topLevel: WidgetTopLevel,
}) {}`),
      text,
    );
  });

  it('a kind has no classes for spec and status if its schema describes no fields', () => {
    const text = code(textOf(widgetDefinition({ 'x-kubernetes-preserve-unknown-fields': true })));
    assert.match(text, /@Schema\(\{ 'x-kubernetes-preserve-unknown-fields': true \}\)/);
    assert.match(text, /class Widget extends CustomResource\(undefined, undefined, \{\}\) \{\}$/);
  });

  it('a kind has the status subresource even if its schema does not describe the status', () => {
    const definition = widgetDefinition(
      { properties: { spec: { type: 'object' } } },
      {},
      { subresources: { status: {} } },
    );
    assert.match(textOf(definition), /\{ specOptional: true, statusSubresource: true \}/);
    assert.deepEqual(classesOf(definition)[0]?.differences, []);
  });

  it('a kind has ageColumn: false if its definition has no Age column', () => {
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    const properties = { spec: { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } } };
    for (const additionalPrinterColumns of [columns, [], undefined]) {
      const definition = widgetDefinition({ properties }, {}, { additionalPrinterColumns });
      assert.match(textOf(definition), /ageColumn: false/);
      assert.deepEqual(classesOf(definition)[0]?.differences, []);
    }
    assert.doesNotMatch(
      textOf(widgetDefinition({ properties }, {}, { additionalPrinterColumns: [...columns, ageColumn] })),
      /ageColumn|Age/,
    );
  });

  it('classesOf drops a repeated print column and reports the difference', () => {
    const size = { name: 'Size', type: 'string', jsonPath: '.metadata.name' };
    const definition = widgetDefinition({ properties: {} }, {}, { additionalPrinterColumns: [size, size, ageColumn] });
    assert.equal(textOf(definition).split('@PrintColumn').length, 2);
    assert.deepEqual(classesOf(definition)[0]?.differences, [
      "the repeated print column 'Size' of '.metadata.name' is dropped",
    ]);
  });

  it('classesOf reports every difference between the original definition and the generated definition', () => {
    const resources = partSchemaOf(ResourceRequirements)?.();
    const claims = { ...resources?.properties?.['claims'], description: 'Claims.' };
    const definition = widgetDefinition(
      {
        description: 'A widget \u0007\n\n@@',
        required: ['spec', 'metadata'],
        'x-order': 1,
        additionalProperties: false,
        properties: {
          apiVersion: { type: 'string', description: 'a' },
          kind: { type: 'string', description: 'b' },
          metadata: { type: 'object', properties: { name: { maxLength: 10 } } },
          spec: {
            type: 'object',
            title: 'A',
            properties: {
              size: { type: 'string', 'x-order': 1 },
              mode: { type: 'string', enum: ['a'], nullable: true },
              resources: { ...resources, properties: { ...resources?.properties, claims } },
            },
          },
          status: { type: 'object', nullable: true, default: null },
        },
      },
      { listKind: 'Widgets' },
      { selectableFields: [{ jsonPath: '.spec.color' }] },
    );
    const [only] = classesOf({
      ...definition,
      metadata: { ...definition.metadata, labels: { tier: 'a' }, annotations: { one: '', two: '' } },
      spec: { ...definition.spec, preserveUnknownFields: true, conversion: { strategy: 'Webhook' } },
    });
    assert.deepEqual(only?.differences, [
      'the label tier is dropped; add labels with @Kind',
      'the annotations one, two are dropped; add annotations with @Kind',
      'the list kind is WidgetList, not Widgets',
      'preserveUnknownFields is false: unknown fields are pruned',
      'the conversion webhook is dropped: a field is lost if the object is written through a version that lacks the field',
      '.spec.color is not a selectable field: the schema describes no string, integer or boolean at this path',
      ": 'x-order' is not supported by API servers",
      ".spec.size: 'x-order' is not supported by API servers",
      '.metadata is not required',
      "the schema of the object does not have 'additionalProperties'",
      '.metadata has the standard schema; declare rules for names with @Rule',
      ".spec has no 'title'",
      ".status has no 'default'",
      ".status has no 'nullable'",
      'the descriptions of .apiVersion, .kind are dropped: API servers replace them with their own',
      '1 description below .spec.resources is dropped: ResourceRequirements of @kubewright/api/core/v1 has no descriptions',
      '.spec.mode accepts null: its enum moves to allOf',
    ]);
  });

  it('the classes have a description option for list items and for descriptions that a doc comment cannot contain', () => {
    const text = textOf(
      widgetWithSpec({
        type: 'object',
        properties: {
          odd: { type: 'string', description: '* [x] @param {@link a} \\@b' },
          names: { type: 'array', items: { type: 'string', description: 'A name.' } },
        },
      }),
    );
    assert.match(text, /Field\.list\(Field\.string\(\{ description: 'A name\.' \}\)/);
    assert.match(text, /@Field\.string\(\{ optional: true, description: '\* \[x\]/);
  });

  it('the classes preserve the defaults of a required spec and a required status', () => {
    const properties = { phase: { type: 'string' }, 'observed-generation': { type: 'integer', format: 'int64' } };
    const [only] = classesOf(
      widgetDefinition({
        required: ['spec', 'status'],
        properties: {
          spec: { type: 'object', default: {}, properties: { size: { type: 'string', default: 'XL' } } },
          status: { type: 'object', default: { 'observed-generation': -1 }, properties },
        },
      }),
    );
    assert.deepEqual(only?.differences, []);
    assert.ok(
      code(only?.text ?? '').endsWith(`export class Widget extends CustomResource(WidgetSpec, WidgetStatus, {
  statusSubresource: false,
  specDefault: {},
  statusDefault: { 'observed-generation': -1 },
}) {}`),
      only?.text,
    );
  });
});
