import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as api from '@kubewright/api';
import * as runtime from '@kubewright/runtime';
import { membersOf, OptionsPage, pickedIn, type Reported } from './options-page.js';

const page = new OptionsPage('docs/reference/decorators.md');

const fieldOptions = 'api/src/fields/field-options.ts';
const rbac = 'runtime/src/rbac/rbac-decorator.ts';
const webhooks = 'api/src/webhooks/webhook-options.ts';
const policies = 'api/src/policies/policy-options.ts';
const rulesOfRbac = ['KindRule', 'ResourceRule', 'UrlRule', 'Placed'].flatMap((name) => membersOf(rbac, name));
/** The options that the code declares for each section of the page, in the order of the page. */
const options: Readonly<Record<string, readonly Reported[]>> = {
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
  '@Controller': membersOf('runtime/src/controller/options/controller-options.ts', 'ControllerOptions'),
  '@KeyController': [
    ...pickedIn('runtime/src/controller/options/key-controller.ts', /Pick<\s*ControllerOptions<KubeObject>,([^>]+)>/),
    ...membersOf('runtime/src/controller/options/key-controller.ts', 'KeyControllerOptions'),
  ],
  '@Rbac': rulesOfRbac.filter(({ name }, at) => rulesOfRbac.findIndex((other) => other.name === name) === at),
  '@Validator': membersOf(webhooks, 'WebhookOptions'),
  '@Defaulter': membersOf(webhooks, 'DefaulterOptions'),
  '@Admission': membersOf(webhooks, 'AdmissionOptions'),
  '@Converter': membersOf(webhooks, 'ConverterOptions'),
  '@Authenticator': membersOf(webhooks, 'AuthenticatorOptions'),
  '@Policy': membersOf(policies, 'PolicyOptions'),
  'Validations of a policy': membersOf(policies, 'PolicyValidation'),
  'Bindings of a policy': membersOf(policies, 'PolicyBinding'),
  'Parameters of a binding': membersOf(policies, 'PolicyParams'),
  '@Injectable': [],
  '@Inject': [],
};

/** The names of all exported functions that have a capitalized name and are not classes. */
const decorators = [...Object.entries(api), ...Object.entries(runtime)]
  .filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'function' && !/^class\b/.test(String(value)))
  .map(([name]) => (name === 'CustomResource' ? name : `@${name}`));

test('the page about decorators has a section for every decorator, and no other section', () => {
  const reported = page.headings.filter((heading) => heading.startsWith('@') || heading === 'CustomResource');
  assert.deepEqual(reported.toSorted(), decorators.toSorted());
});

test('the page about decorators lists every option with its default, and no other option', () => {
  page.assertDescribes(options, ['Fields']);
});

test('the page about decorators lists every field decorator in order, and no other decorator', () => {
  assert.deepEqual(
    page.rowsOf('Fields').map(({ name }) => name),
    Object.keys(api.Field).map((name) => `Field.${name}`),
  );
});
