import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind, Policy, type PolicyOptions } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { Controller } from '../../controller/options/controller-decorator.js';
import { Result } from '../../controller/reconciler/result.js';
import { policyObjects } from '../../rbac/policy-objects.js';
import { permissionsOf } from '../../rbac/permissions-of.js';
import { Manager } from '../manager.js';

class Spec {
  @Field.string() schedule!: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class CronJob extends CustomResource(Spec) {}

const options: PolicyOptions = { for: CronJob, validations: [{ rule: 'true' }] };

@Policy({
  for: CronJob,
  operations: ['update'],
  variables: { b: '1', a: 'variables.b' },
  validations: [{ rule: 'variables.a > 0', message: 'no', reason: 'Forbidden' }],
  auditAnnotations: { size: "'1'" },
  matchConditions: [{ name: 'mine', expression: 'true' }],
  objectSelector: { matchLabels: { a: 'b' } },
  params: ConfigMap,
  bindings: [
    { name: 'strict', params: { name: 'limits', namespace: 'default' } },
    { name: 'loose', actions: ['Warn', 'Audit'], params: { selector: {}, onMissing: 'Allow' }, objectSelector: {} },
  ],
})
class CronJobNamesPolicy {}

@Policy({
  for: Pod,
  subresource: 'status',
  mutations: [{ apply: 'Object{}' }, { patch: '[]' }],
  reinvocationPolicy: 'IfNeeded',
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchLabels: { c: 'd' } },
})
class PodDefaults {}

test('a manager describes its policies with their defaults, and a policy needs no permissions', () => {
  const description = new Manager()
    .add(CronJobNamesPolicy)
    .enforce({ ...options, name: 'plain' })
    .describe();
  const [names, plain] = description.policies ?? [];
  assert.deepEqual(
    [names?.name, names?.type, names?.declaredBy],
    ['cron-job-names', 'validating', 'class CronJobNamesPolicy'],
  );
  assert.deepEqual(names?.bindings[0]?.params, { onMissing: 'Deny', name: 'limits', namespace: 'default' });
  assert.deepEqual(plain, {
    type: 'validating',
    declaredBy: 'manager.enforce',
    name: 'plain',
    kind: CronJob,
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    matchConditions: [],
    variables: [],
    validations: [{ rule: 'true' }],
    auditAnnotations: [],
    mutations: [],
    bindings: [{ actions: ['Deny'] }],
  });
  assert.deepEqual(permissionsOf(description), permissionsOf(new Manager().describe()));
});

test('a class can be a controller and declare a policy', () => {
  @Policy(options)
  @Controller({ for: CronJob })
  class CronJobController {
    reconcile(): Promise<Result> {
      return Promise.resolve(Result.done());
    }
  }
  const { controllers, policies } = new Manager().add(CronJobController).describe();
  assert.deepEqual([controllers.length, policies?.[0]?.name], [1, 'cron-job-controller']);
});

test('rejects a second policy with the same name', () => {
  const manager = new Manager().add(CronJobNamesPolicy);
  assert.throws(() => manager.enforce({ ...options, name: 'cron-job-names' }), {
    code: 'DUPLICATE_POLICY',
    message:
      "cannot add the policy of manager.enforce: the policy of class CronJobNamesPolicy also has the name 'cron-job-names'; set the option name of one of them",
  });
});

test('rejects a policy whose name is not valid in Kubernetes', () => {
  class Größe {}
  Policy(options)(Größe);
  assert.throws(() => new Manager().add(Größe), { code: 'INVALID_POLICY', message: /set the option name$/ });
});

test('a validating policy becomes a ValidatingAdmissionPolicy with its bindings', () => {
  const { policies = [] } = new Manager().add(CronJobNamesPolicy).describe();
  const labels = { app: 'x' };
  assert.deepEqual(policyObjects(policies, { prefix: 'op-', labels }), [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'op-cron-job-names', labels },
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          objectSelector: { matchLabels: { a: 'b' } },
          resourceRules: [
            { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['cronjobs'] },
          ],
        },
        matchConditions: [{ name: 'mine', expression: 'true' }],
        variables: [
          { name: 'b', expression: '1' },
          { name: 'a', expression: 'variables.b' },
        ],
        validations: [{ expression: 'variables.a > 0', message: 'no', reason: 'Forbidden' }],
        auditAnnotations: [{ key: 'size', valueExpression: "'1'" }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'op-cron-job-names-strict', labels },
      spec: {
        policyName: 'op-cron-job-names',
        paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'op-cron-job-names-loose', labels },
      spec: {
        policyName: 'op-cron-job-names',
        paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
        matchResources: { objectSelector: {} },
        validationActions: ['Warn', 'Audit'],
      },
    },
  ]);
});

test('a policy with mutations becomes a MutatingAdmissionPolicy, whose binding has no actions', () => {
  const { policies = [] } = new Manager().add(PodDefaults).describe();
  assert.deepEqual(policyObjects(policies, { prefix: '', namespace: 'mine' }), [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'pod-defaults' },
      spec: {
        failurePolicy: 'Ignore',
        matchConstraints: {
          matchPolicy: 'Exact',
          namespaceSelector: {
            matchLabels: { c: 'd' },
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['mine'] }],
          },
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods/status'] },
          ],
        },
        mutations: [
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
          { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } },
        ],
        reinvocationPolicy: 'IfNeeded',
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'pod-defaults' },
      spec: { policyName: 'pod-defaults' },
    },
  ]);
});
