import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as api from '@kubewright/api';
import * as runtime from '@kubewright/runtime';
import { root } from './markdown-pages.js';

/** An option, as the page or the code tells it. */
interface Told {
  readonly name: string;
  readonly required: boolean;
  readonly byDefault: string | undefined;
}

const page = readFileSync(join(root, 'docs', 'reference', 'decorators.md'), 'utf8');
/** `- `name` (required): What.`, `- `name` (default …): What.` or `- `name`: What.` */
const row = /^- `(?<name>[\w.-]+)`(?: \((?:(?<required>required)|default (?<byDefault>.+?))\))?: \S.*\.$/gm;
const sections = new Map(
  page
    .split(/^##+ /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text]),
);

function rowsOf(heading: string): readonly Told[] {
  const text = sections.get(heading);
  assert.ok(text !== undefined, `docs/reference/decorators.md has no heading '${heading}'`);
  return [...text.matchAll(row)].map(({ groups = {} }) => ({
    name: groups['name'] ?? '',
    required: groups['required'] !== undefined,
    byDefault: groups['byDefault']?.replaceAll('`', ''),
  }));
}

/** The members that an interface itself declares, in order, with the default that the first sentence after `@default` tells. */
function membersOf(path: string, name: string): readonly Told[] {
  const text = readFileSync(join(root, 'packages', path), 'utf8');
  const [, body] = new RegExp(`^(?:export )?interface ${name}\\b[^]*?\\{\\n([^]*?)^\\}`, 'm').exec(text) ?? [];
  assert.ok(body !== undefined, `${path} has no interface ${name}`);
  const member = /(?:^ {2}\/\*\*(?<doc>(?:(?!\*\/)[^])*)\*\/\n)?^ {2}readonly (?<name>\w+)(?<optional>\??):/gm;
  return [...body.matchAll(member)].map(({ groups = {} }) => {
    const doc = (groups['doc'] ?? '').replaceAll(/\s+(?:\* )?/g, ' ').trim();
    const [, byDefault] = /@default (.+?)(?:\. |$)/.exec(doc) ?? [];
    return { name: groups['name'] ?? '', required: groups['optional'] === '', byDefault };
  });
}
/** What a type takes over from another by `Pick`. */
function pickedIn(path: string, before: RegExp): readonly Told[] {
  const text = readFileSync(join(root, 'packages', path), 'utf8');
  const [, names = ''] = before.exec(text) ?? [];
  return [...names.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => ({ name, required: false, byDefault: undefined }));
}

const fieldOptions = 'api/src/fields/field-options.ts';
const rbac = 'runtime/src/controller/rbac-decorator.ts';
const rulesOfRbac = ['KindRule', 'ResourceRule', 'UrlRule', 'Placed'].flatMap((name) => membersOf(rbac, name));
/** What the options of each section are in the code, in the order of the page. */
const options: Readonly<Record<string, readonly Told[]>> = {
  '@Kind': membersOf('api/src/metadata/kind-options.ts', 'KindOptions'),
  CustomResource: membersOf('api/src/metadata/class-metadata.ts', 'CustomResourceOptions'),
  '@PrintColumn': membersOf('api/src/kinds/print-column.ts', 'PrintColumnOptions'),
  '@Scale': membersOf('api/src/kinds/scale.ts', 'ScaleOptions'),
  '@SelectableField': [],
  '@Schema': pickedIn('api/src/metadata/class-metadata.ts', /SchemaKeywords = Pick<([^>]+)>/),
  '@Rule': membersOf('api/src/metadata/rule-options.ts', 'RuleOptions'),
  '@ExactlyOneOf': [],
  '@AtMostOneOf': [],
  '@AtLeastOneOf': [],
  'Options of every field': membersOf(fieldOptions, 'FieldOptions'),
  'Options of text': [...membersOf(fieldOptions, 'StringConstraints'), ...membersOf(fieldOptions, 'StringOptions')],
  'Options of numbers': membersOf(fieldOptions, 'NumberConstraints'),
  'Options of lists': [
    ...membersOf(fieldOptions, 'ListConstraints'),
    ...membersOf(fieldOptions, 'ListOptions'),
    { name: 'mapKeys', required: false, byDefault: undefined },
  ],
  'Options of objects': [...membersOf(fieldOptions, 'ObjectConstraints'), ...membersOf(fieldOptions, 'ObjectOptions')],
  'Options of maps': [...membersOf(fieldOptions, 'ObjectConstraints'), ...membersOf(fieldOptions, 'MapOptions')],
  '@Controller': membersOf('runtime/src/controller/controller-options.ts', 'ControllerOptions'),
  '@KeyController': [
    ...pickedIn('runtime/src/controller/key-controller.ts', /Pick<\s*ControllerOptions<KubeObject>,([^>]+)>/),
    ...membersOf('runtime/src/controller/key-controller.ts', 'KeyControllerOptions'),
  ],
  '@Rbac': rulesOfRbac.filter(({ name }, at) => rulesOfRbac.findIndex((other) => other.name === name) === at),
  '@Injectable': [],
  '@Inject': [],
};

/** Every function of the packages that is written with a capital letter and is no class. */
const decorators = [...Object.entries(api), ...Object.entries(runtime)]
  .filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'function' && !/^class\b/.test(String(value)))
  .map(([name]) => (name === 'CustomResource' ? name : `@${name}`));

test('the page about decorators has a section for every decorator, and for no other', () => {
  const told = [...sections.keys()].filter((heading) => heading.startsWith('@') || heading === 'CustomResource');
  assert.deepEqual(told.toSorted(), decorators.toSorted());
});

test('the page about decorators tells every option with its default, and no other', () => {
  for (const [heading, known] of Object.entries(options)) assert.deepEqual(rowsOf(heading), known, heading);
  const rows = [...sections.keys()].flatMap(rowsOf);
  assert.equal(rows.length, page.match(/^- /gm)?.length, 'a line of the page is not as the others');
  const others = [...sections.keys()].filter((heading) => options[heading] === undefined && heading !== 'Fields');
  assert.deepEqual(others.flatMap(rowsOf), []);
});

test('the page about decorators tells every decorator of a field, in order, and no other', () => {
  assert.deepEqual(
    rowsOf('Fields').map(({ name }) => name),
    Object.keys(api.Field).map((name) => `Field.${name}`),
  );
});
