import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { PodAffinity, SecretKeySelector } from '@kubewright/api/core/v1';
import { partSchemaOf } from '@kubewright/api/metadata';
import { widgetDefinition, widgetWithSpec } from '../test-support/widget-definition.js';
import { classNames } from './class-names.js';
import { singular, wordOf } from './class-words.js';
import { classesOf } from './classes-of.js';
import { call, printCode } from './code.js';
import { commentLines } from './comment-lines.js';
import { literal, objectLiteral, patternLiteral, quoted } from './literal.js';
import { readCrds } from './read-crds.js';
import type { ClassPlan } from './value-plan.js';

const textOf = (definition: CustomResourceDefinition): string => classesOf(definition)[0]?.text ?? '';
const code = (of: string | undefined): string =>
  String(of)
    .replace(/^import[\s\S]*?;\n\n/, '')
    .trim();

describe('classesOf', () => {
  it('classesOf generates decorated classes for scalars, defaults, and lists of objects', () => {
    const spec = {
      type: 'object',
      required: ['image', 'disks'],
      properties: {
        image: { type: 'string', minLength: 1, description: 'Image to boot from.' },
        memory: { type: 'integer', format: 'int32', minimum: 128, default: 1024 },
        disks: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    };
    assert.equal(
      textOf(widgetWithSpec(spec)),
      `import { CustomResource, type Default, Field, Kind } from '@kubewright/api';

export class Disk {
  @Field.string() name!: string;
}

export class WidgetSpec {
  /** Image to boot from. */
  @Field.string({ minLength: 1 }) image!: string;

  @Field.int32({ minimum: 128 }) memory: Default<number> = 1024;
  @Field.list(Disk, { mapKeys: ['name'] }) disks!: Disk[];
}

@Kind({ group: 'example.com', version: 'v1' })
export class Widget extends CustomResource(WidgetSpec) {}
`,
    );
  });

  it('classesOf shares a class only between fields with the same name and the same schema', () => {
    const named = { type: 'object', properties: { name: { type: 'string' } } };
    const sized = { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } };
    const text = textOf(
      widgetWithSpec({
        type: 'object',
        properties: {
          disks: { type: 'array', items: named },
          disk: named,
          other: named,
          backup: { type: 'object', properties: { disk: sized } },
        },
      }),
    );
    assert.deepEqual(
      [...text.matchAll(/class (\w+)/g)].map(([, name]) => name),
      ['Disk', 'Other', 'BackupDisk', 'Backup', 'WidgetSpec', 'Widget'],
    );
    assert.match(text, /disk\?: Disk;/);
    assert.match(text, /other\?: Other;/);
  });

  it('classesOf generates separate classes for fields with equal schemas and different names', () => {
    const terms = { type: 'object', properties: { terms: { type: 'array', items: { type: 'string' } } } };
    const text = textOf(widgetWithSpec({ type: 'object', properties: { podAntiAffinity: terms, podAffinity: terms } }));
    assert.match(text, /podAffinity\?: PodAffinity;/);
    assert.match(text, /podAntiAffinity\?: PodAntiAffinity;/);
  });

  it('classesOf imports a built-in type with the same schema instead of generating a class', () => {
    const limits = {
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
        pattern:
          '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      },
    };
    const claims = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, request: { type: 'string' } },
      },
    };
    const resources = { type: 'object', properties: { claims, limits, requests: limits } };
    const text = textOf(widgetWithSpec({ type: 'object', properties: { resources } }));
    assert.match(text, /import \{ ResourceRequirements \} from '@kubewright\/api\/core\/v1';/);
    assert.match(
      text,
      /@Field\.object\(ResourceRequirements, \{ optional: true \}\) resources\?: ResourceRequirements;/,
    );
  });

  it('if several built-in types have the same schema, classesOf selects the type by the name of the field', () => {
    const [podAffinity, keyRef] = [PodAffinity, SecretKeySelector].map((part) => partSchemaOf(part)?.());
    const properties = {
      podAntiAffinity: podAffinity,
      podAffinity,
      configMapKeyRef: keyRef,
      secretKeyRef: keyRef,
    };
    const text = textOf(widgetWithSpec({ type: 'object', properties }));
    for (const [field, part] of [
      ['podAffinity', 'PodAffinity'],
      ['podAntiAffinity', 'PodAntiAffinity'],
      ['configMapKeyRef', 'ConfigMapKeySelector'],
      ['secretKeyRef', 'SecretKeySelector'],
    ] as const) {
      assert.match(text, new RegExp(`Field\\.\\w+\\(${part}\\b.* ${field}\\?: ${part};`), field);
    }
  });
  it('classesOf appends Resource to the class name if Kubewright already uses the name of the kind', () => {
    const text = code(textOf(widgetDefinition({ properties: { spec: { type: 'object' } } }, { kind: 'Rule' })));
    assert.equal(
      text,
      `@Schema({})
export class RuleResourceSpec {}

@Kind({ group: 'example.com', version: 'v1', kind: 'Rule', plural: 'widgets', singular: 'widget' })
export class RuleResource extends CustomResource(RuleResourceSpec, undefined, { specOptional: true }) {}`,
    );
  });

  it('classesOf capitalizes the class name of a lowercase kind', () => {
    const text = code(textOf(widgetDefinition({ properties: { spec: { type: 'object' } } }, { kind: 'postgresql' })));
    assert.match(text, /kind: 'postgresql', .*\}\)\nexport class Postgresql extends CustomResource\(PostgresqlSpec/);
  });

  it('classesOf generates only the requested version of an external kind, and rejects an unknown version', () => {
    const [only, ...more] = classesOf(widgetWithSpec({ type: 'object' }), { version: 'v1', external: true });
    assert.deepEqual(more, []);
    assert.match(only?.text ?? '', /@Kind\(\{ group: 'example.com', version: 'v1', external: true \}\)/);
    assert.throws(() => classesOf(widgetWithSpec({ type: 'object' }), { version: 'v2' }), {
      code: 'NO_VERSION',
      message:
        'cannot generate classes for Widget example.com/v2: the definition does not have this version; use one of v1',
    });
  });
});

describe('generated code', () => {
  const long = 'x'.repeat(60);
  it('a generated decorator is on one line if possible, and otherwise has its last argument on several lines', () => {
    const options = objectLiteral([
      ['a', long],
      ['b', [long]],
    ]);
    assert.equal(printCode(call('f', ['A', options]), 2), `f(A, {\n    a: '${long}',\n    b: ['${long}'],\n  })`);
    assert.equal(printCode(call('f', ['A', literal({ a: 1, b: [] })]), 2), 'f(A, { a: 1, b: [] })');
    assert.equal(printCode(literal([long, long]), 0), `[\n  '${long}',\n  '${long}',\n]`);
  });
  it('a generated string literal evaluates to the original text', () => {
    for (const text of ["it's", 'a"b', `'"`, 'a\\b', 'a\nb\u2028', '${x}`', '']) {
      // oxlint-disable-next-line no-eval -- the test checks the text of a literal
      assert.equal((0, eval)(quoted(text)), text);
    }
  });
  it('a generated pattern is a regular expression literal if JavaScript and RE2 interpret it alike, and otherwise a string', () => {
    assert.deepEqual(
      ['^a\\d$', '/x', '', '(?i)a'].map((each) => patternLiteral(each).text),
      ['/^a\\d$/', "'/x'", "''", "'(?i)a'"],
    );
    const same = ['^\\-\\.\\\\p$', '\\x41\\w', '[a-z]'];
    assert.deepEqual(
      same.map((each) => patternLiteral(each).text),
      ['/^\\-\\.\\\\p$/', '/\\x41\\w/', '/[a-z]/'],
    );
    for (const other of ['^\\p{L}+$', '\\PL', '\\x{10FFFF}', '\\u{1F}', '^\\Aa\\z', '[[:alpha:]]', '\\07', '\\Q.\\E']) {
      assert.equal(patternLiteral(other).text, quoted(other));
    }
  });
});

describe('the names of classes', () => {
  it('class names are property names in PascalCase, and in the singular for list items', () => {
    assert.deepEqual(['podTemplate', 'x-y', '$ref', 'a.b/c'].map(wordOf), ['PodTemplate', 'XY', 'Ref', 'ABC']);
    const words = ['disks', 'policies', 'addresses', 'status', 'ingress', 'boxes', 'series', 'metadata', 'dns', 'axis'];
    assert.equal(words.map(singular).join(' '), 'disk policy address status ingress box series metadata dns axis');
  });
  it('class names do not collide with other names', () => {
    const shape = (...words: string[]): ClassPlan => ({ words }) as unknown as ClassPlan;
    const classes = [
      shape('Spec'),
      shape('Spec', 'Record'),
      shape('Spec', ''),
      shape('Spec', 'A', '3d'),
      shape('Spec', 'Record'),
    ];
    assert.deepEqual(
      [...classNames(classes, ['Record'], 'Widget').values()],
      ['WidgetSpec', 'WidgetRecord', 'WidgetPart', 'WidgetSpecRecord', 'A3d'],
    );
  });
});

describe('a description as a comment', () => {
  it('a doc comment is on one line if possible, and wraps long lines with the indentation of list items', () => {
    assert.deepEqual(commentLines('A thing.', 2), ['  /** A thing. */']);
    assert.deepEqual(commentLines(' ', 2), []);
    const lines = commentLines(`- ${'word '.repeat(40)}`, 0);
    assert.ok(lines.every((line) => line.length <= 120));
    assert.deepEqual(
      lines.map((line) => line.slice(0, 8)),
      ['/**', ' * - wor', ' *   wor', ' */'],
    );
  });
  it('a doc comment escapes comment ends and tags in a description', () => {
    assert.deepEqual(commentLines('a */ {@link b}\n@c', 0), ['/**', ' * a *\\/ {\\@link b}', ' * \\@c', ' */']);
  });
});

describe('readCrds', () => {
  const yaml =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: { names: {}, versions: [] }\n';
  it('readCrds finds definitions among other objects and in lists', () => {
    assert.equal(readCrds(`kind: Pod\n---\n${yaml}---\n${yaml}`, 'a.yaml').length, 2);
    const list = {
      kind: 'List',
      items: [
        { kind: 'Pod' },
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec: { names: {}, versions: [] } },
      ],
    };
    assert.equal(readCrds(JSON.stringify(list), 'a.json').length, 1);
  });
  it('readCrds reads integers outside the safe range as bigint, and bounds as numbers', () => {
    const [read] = readCrds(`${yaml}a: 9007199254740993\nminimum: -9223372036854775808\nb: 5\n`, 'a.yaml');
    assert.deepEqual(
      { ...read, spec: 0 },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        spec: 0,
        a: 9007199254740993n,
        minimum: -9223372036854775808,
        b: 5,
      },
    );
  });
  it('readCrds rejects a file without definitions, and reports the line of a syntax error', () => {
    const why = (text: string): string => {
      try {
        readCrds(text, 'a.yaml');
        return '';
      } catch (error) {
        return (error as Error).message.replace('cannot read the CustomResourceDefinition in ', '');
      }
    };
    assert.equal(
      why('kind: Pod'),
      'a.yaml: the file has no CustomResourceDefinition; specify a file with a CustomResourceDefinition',
    );
    assert.match(why('a: 1\nb: [\n'), /^a\.yaml:3: it is not valid YAML: /);
    assert.equal(
      why('apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition'),
      "a.yaml: its CustomResourceDefinition has the apiVersion 'apiextensions.k8s.io/v1beta1'; convert it to apiextensions.k8s.io/v1",
    );
    assert.match(why('apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition'), /has no spec with names/);
  });
});
