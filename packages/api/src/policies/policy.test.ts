import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Field } from '../fields/field.js';
import { ValidatingAdmissionPolicy } from '../generated/admissionregistration/v1.js';
import { ConfigMap, Namespace } from '../generated/core/v1.js';
import { CustomResource } from '../kinds/custom-resource.js';
import { dynamicKind } from '../kinds/dynamic-kind.js';
import { Kind } from '../kinds/kind.js';
import { Policy } from './policy.js';
import type { PolicyOptions } from './policy-options.js';
import { policiesOf } from './record-policy.js';

class Spec {
  @Field.string() schedule!: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class CronJob extends CustomResource(Spec) {}
@Kind({ group: 'example.com', version: 'v1', scope: 'Cluster' })
class Limits extends CustomResource(Spec) {}

const names: PolicyOptions = { for: CronJob, validations: [{ rule: 'true' }] };
const zones: PolicyOptions = { for: CronJob, name: 'zones', mutations: [{ apply: 'Object{}' }] };

@Policy(names)
@Policy(zones)
class CronJobPolicies {}
class Derived extends CronJobPolicies {}

test('@Policy records its options in the order of the source', () => {
  assert.deepEqual(policiesOf(CronJobPolicies), [names, zones]);
});
test('a subclass does not inherit policies', () => {
  assert.deepEqual(policiesOf(Derived), []);
});
test('@Policy accepts all options', () => {
  const options: PolicyOptions = {
    for: dynamicKind('apps/v1', 'Deployment'),
    subresource: 'scale',
    operations: ['create', 'update', 'delete', 'connect'],
    variables: { max: 'params.max' },
    validations: [{ rule: 'true', message: 'no', messageExpression: "'no'", reason: 'Forbidden' }],
    auditAnnotations: { size: "'1'" },
    matchConditions: [{ name: 'mine', expression: 'true' }],
    namespaceSelector: { matchLabels: { a: 'b' } },
    objectSelector: { matchLabels: { a: 'b' } },
    failurePolicy: 'Ignore',
    matchPolicy: 'Exact',
    params: ConfigMap,
    bindings: [
      { name: 'a', actions: ['Deny', 'Audit'], params: { name: 'limits', namespace: 'default', onMissing: 'Allow' } },
      { name: 'b', actions: ['Warn'], params: { selector: {} }, objectSelector: {}, namespaceSelector: {} },
    ],
    name: 'sizes',
  };
  class Sizes {}
  Policy(options)(Sizes);
  assert.deepEqual(policiesOf(Sizes), [options]);
});

const valid = [{ rule: 'true' }];
const refused: readonly (readonly [what: string, options: object, message: string | RegExp])[] = [
  ['a policy without a kind', { validations: valid }, /^for is undefined: cannot use undefined as a kind/],
  ['an unknown option', { for: CronJob, rules: [] }, /^unknown option 'rules'; use one of for, subresource, /],
  ['a policy without an effect', { for: CronJob }, 'it has no effect; add validations, auditAnnotations or mutations'],
  [
    'validations with mutations',
    { ...zones, validations: valid },
    'it has mutations together with validations or auditAnnotations, which are different kinds of policies; declare two policies',
  ],
  [
    'a mutation on delete',
    { ...zones, operations: ['delete'] },
    "a request to delete an object has no object to change; remove 'delete' from operations, or use validations",
  ],
  [
    'actions in the bindings of a mutating policy',
    { ...zones, bindings: [{ actions: ['Deny'] }] },
    'the bindings of a policy with mutations have no actions; remove them',
  ],
  [
    'reinvocationPolicy without mutations',
    { ...names, reinvocationPolicy: 'IfNeeded' },
    'reinvocationPolicy applies only to a policy with mutations; remove it',
  ],
  [
    'a kind for which the API server never evaluates policies',
    { ...names, for: ValidatingAdmissionPolicy },
    'the API server never evaluates policies for ValidatingAdmissionPolicy; remove the policy',
  ],
  [
    'parameters without a binding that selects them',
    { ...names, params: ConfigMap },
    "expressions read params of kind ConfigMap, but a binding has no params; add bindings: [{ params: { name: '…' } }]",
  ],
  [
    'a binding with parameters in a policy without the option params',
    { ...names, bindings: [{ params: { name: 'a' } }] },
    'a binding has params, but the policy does not; add the option params with the kind of the parameters',
  ],
  [
    'a namespace of cluster-scoped parameters',
    { ...names, params: Limits, bindings: [{ params: { name: 'a', namespace: 'b' } }] },
    'kind Limits is cluster-scoped, but the params of a binding have a namespace; remove the namespace',
  ],
  [
    'a name and a selector of parameters',
    { ...names, params: ConfigMap, bindings: [{ params: { name: 'a', selector: {} } }] },
    /^bindings is .*: element 1: params: set either 'name' or 'selector'$/,
  ],
  ['Deny together with Warn', { ...names, bindings: [{ actions: ['Deny', 'Warn'] }] }, /: use either 'Deny' or 'Warn'/],
  ['an unknown action', { ...names, bindings: [{ actions: ['Log'] }] }, /: use a list of 'Deny', 'Warn' or 'Audit'$/],
  ['two bindings without a name', { ...names, bindings: [{}, {}] }, /: several bindings have no name; /],
  ['two bindings with the same name', { ...names, bindings: [{ name: 'a' }, { name: 'a' }] }, /have the name 'a'; /],
  ['no bindings', { ...names, bindings: [] }, /: use at least one binding/],
  ['a reserved name of a variable', { ...names, variables: { in: '1' } }, /: 'in' is not a valid name of a variable; /],
  ['a variable without an expression', { ...names, variables: { a: ' ' } }, /: variable 'a' has no expression; /],
  ['a validation without a rule', { for: CronJob, validations: [{ message: 'a' }] }, /: element 1: rule is missing$/],
  [
    'a message of two lines',
    { for: CronJob, validations: [{ rule: '1', message: 'a\nb' }] },
    /: message: use a string without line breaks$/,
  ],
  [
    'an unknown reason',
    { for: CronJob, validations: [{ rule: '1', reason: 'No' }] },
    /: reason: use 'Invalid', 'Forbidden' or /,
  ],
  [
    'a mutation with both forms',
    { for: CronJob, mutations: [{ apply: '1', patch: '1' }] },
    /: set either 'apply' or 'patch'$/,
  ],
  [
    'an audit annotation with a prefix',
    { for: CronJob, auditAnnotations: { 'a/b': '1' } },
    /: key 'a\/b' is not valid: /,
  ],
  ['a name with a dot', { ...names, name: 'a.b' }, /^name is "a.b": /],
  ['a text as selector', { ...names, objectSelector: 'a=b' }, /^objectSelector is "a=b": /],
];
for (const [what, options, message] of refused) {
  test(`@Policy rejects ${what}`, () => {
    class Names {}
    const prefix = 'cannot load the policy of class Names: ';
    assert.throws(
      () => Policy(options as PolicyOptions)(Names),
      (error: Error & { readonly code?: string }) => {
        assert.equal(error.code, 'INVALID_POLICY');
        assert.ok(error.message.startsWith(prefix), error.message);
        const text = error.message.slice(prefix.length);
        if (typeof message === 'string') assert.equal(text, message);
        else assert.match(text, message);
        return true;
      },
    );
  });
}
test('@Policy accepts namespaced parameters of a cluster-scoped kind', () => {
  class Names {}
  Policy({
    for: Namespace,
    params: ConfigMap,
    bindings: [{ params: { name: 'a', namespace: 'b' } }],
    validations: valid,
  })(Names);
  assert.equal(policiesOf(Names).length, 1);
});
