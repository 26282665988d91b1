import { contract, type ContractCase } from './contract.js';
import {
  admission,
  applied,
  configMapRule,
  mutatingPolicy,
  patched,
  refused,
  validatingPolicy,
} from './policy-bodies.js';

const policies = 'validatingadmissionpolicies';
const mutating = 'mutatingadmissionpolicies';
const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const condition = (expression: string, name = 'a'): object => ({ name, expression });

/** Returns a case that creates a ValidatingAdmissionPolicy for each of the specs. */
function validating(...specs: readonly object[]): ContractCase {
  return async (api) => {
    for (const spec of specs) await refused(api, policies, validatingPolicy('a', spec));
  };
}

/** Returns a case that creates a MutatingAdmissionPolicy for each of the specs. */
function mutates(...specs: readonly object[]): ContractCase {
  return async (api) => {
    for (const spec of specs) await refused(api, mutating, mutatingPolicy('a', spec));
  };
}

/** Returns a case that creates a policy with one validation for each of the expressions. */
function validations(...expressions: readonly string[]): ContractCase {
  return validating(...expressions.map((expression) => ({ validations: [{ expression }] })));
}

/** Returns a case that creates a webhook for each of the lists of match conditions. */
function webhooks(...conditions: readonly (readonly object[])[]): ContractCase {
  return async (api) => {
    for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
      for (const matchConditions of conditions) {
        await refused(api, kind, { metadata: { name: 'a' }, webhooks: [webhook({ matchConditions })] });
      }
    }
  };
}

const webhook = (more: object): object => ({
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  ...more,
});

contract(
  'policies-validation',
  {},
  {
    'accepts match conditions of webhooks': webhooks(
      [condition("object.metadata.name == 'a' && request.operation == 'CREATE'")],
      [condition("authorizer.requestResource.check('get').allowed()", 'a'), condition('oldObject == null', 'b.c/d')],
    ),
    'rejects match conditions of webhooks that do not compile': webhooks(
      [condition('object.metadata.name')],
      [condition('object.'), condition('unknown', 'b'), condition('1 + true', 'c')],
      [condition('params == null')],
      [condition('variables.a')],
      [condition('Object{} == Object{}')],
    ),
    'rejects match conditions of webhooks with invalid names': webhooks(
      [condition('true', ''), condition('true', 'a b'), condition('', 'c'), condition('true', 'c')],
      [condition('true'), condition('false')],
      Array.from({ length: 65 }, (_, index) => condition('true', `c${index}`)),
    ),
    'rejects match conditions whose constant arguments are not valid': webhooks(
      [condition("int('x') == 1")],
      [condition("'a'.matches('[')"), condition("duration('x') == duration('1s')", 'b')],
    ),
    'does not validate match conditions of webhooks that an update does not change': async (api) => {
      const name = api.name('hooks');
      const path = `${admission('validatingwebhookconfigurations')}/${name}`;
      const bodyOf = (...matchConditions: readonly object[]): object => ({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name },
        webhooks: [webhook({ matchConditions, rules: [] })],
      });
      const only = { only: ['message', 'metadata.generation', 'webhooks.*.matchConditions'] };
      await api.post(admission('validatingwebhookconfigurations'), bodyOf(condition('true')), { quiet: true });
      await api.patch(path, bodyOf(condition('object.a')), only);
      await api.patch(path, bodyOf(condition('false')), only);
    },
    'accepts expressions that read all variables': validations(
      'object.spec.replicas > 3 && oldObject != null',
      "request.kind.group == '' && request.kind.version == 'v1' && request.kind.kind == 'ConfigMap'",
      "request.resource.resource == 'configmaps' && request.requestKind == request.kind && request.subResource == ''",
      "request.requestResource == request.resource && request.requestSubResource == '' && request.name == 'a'",
      "request.namespace == 'a' && request.operation == 'CREATE' && !request.dryRun && request.options.fieldManager == ''",
      "request.userInfo.username == 'a' && request.userInfo.uid == '' && 'a' in request.userInfo.groups",
      "request.userInfo.extra['a'].exists(e, e == 'b')",
      "namespaceObject.metadata.labels.env == 'prod' && namespaceObject.metadata.annotations['a'] == 'b'",
      "namespaceObject.status.phase == 'Active' && namespaceObject.spec.finalizers.size() > 0",
      "namespaceObject.status.conditions.all(c, c.type == 'a' && c.status == 'b' && c.message == '' && c.reason == '')",
      "namespaceObject.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
      "namespaceObject.metadata.UID == '' && namespaceObject.metadata.generation == 1",
      "authorizer.group('apps').resource('deployments').namespace('a').name('b').check('get').allowed()",
      "authorizer.serviceAccount('a', 'b').path('/healthz').check('get').reason() == ''",
      "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c=d').check('list').errored()",
      "authorizer.requestResource.check('custom').error() == ''",
    ),
    'rejects unknown fields of typed variables': validations(
      'request.uid == ""',
      'request.object == null',
      'request.kind.name == ""',
      'request.userInfo.name == ""',
      'namespaceObject.kind == ""',
      'namespaceObject.metadata.uid == ""',
      'namespaceObject.metadata.ownerReferences == []',
      'namespaceObject.spec.other == ""',
      'authorizer.user == ""',
      'authorizer.requestResource.name == ""',
    ),
    'rejects expressions with wrong types': validations(
      'object',
      'object.spec',
      '1',
      "'a'",
      'null',
      '[true]',
      "{'a': true}",
      "timestamp('2020-01-01T00:00:00Z')",
      "duration('1s')",
      'optional.of(true)',
      'request.userInfo',
      'request.userInfo.groups',
      'type(true)',
      'authorizer',
    ),
    'rejects expressions with type errors': validations(
      'request.name == 1',
      "request.dryRun + 'a'",
      'request.userInfo.groups.all(g, g == 1)',
      'request.operation.foo',
      "request.userInfo.extra['a'] == 'b'",
      'object.items.map(x)',
      "authorizer.group(1).resource('pods').check('get').allowed()",
      "authorizer.check('get').allowed()",
      "authorizer.path('/').check('get')",
      'namespaceObject.metadata.labels.env == 1 || request.name.size() == "a"',
      "request.name in ['a', 1]",
      "{'a': 1}.b == 'c'",
    ),
    'rejects expressions with syntax errors': validations(
      'object.metadata.name ==',
      "object.metadata['name'",
      "['a'",
      'f(object',
      '(object',
      'true &&',
      "'a",
      'object..a',
      'if (true) {}',
      'a b',
      '{"a" 1}',
    ),
    'reports every error of an expression': validations('unknown == 1 && other == 2 &&\n  request.foo == 1'),
    'rejects undeclared variables': validations(
      'params.a == 1',
      'variables.a == 1',
      "jsonpatch.escapeKey('a') == 'a'",
      'Object{} == Object{}',
      'self.a',
    ),
    'declares params for policies with a paramKind': validating(
      { ...params, validations: [{ expression: 'params == null || params.data.a == object.data.a' }] },
      { ...params, matchConditions: [condition('params.data.a')] },
      { ...params, validations: [{ expression: 'true', messageExpression: 'params.data.a' }] },
    ),
    'rejects match conditions of policies that are not valid': validating(
      { matchConditions: [condition('variables.a')], variables: [{ name: 'a', expression: 'true' }] },
      { matchConditions: [condition('object', ''), condition('', 'b'), condition('true', 'b'), condition('x', 'b')] },
    ),
    'validates the names and expressions of variables': validating(
      {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'b', expression: 'variables.a + 1' },
        ],
      },
      {
        variables: [
          { name: '', expression: '' },
          { name: 'a b', expression: '1' },
          { name: 'in', expression: '1' },
        ],
      },
      {
        variables: [
          { name: 'namespace', expression: '1' },
          { name: '1a', expression: ' ' },
        ],
      },
      {
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
      },
      {
        variables: [
          { name: 'a', expression: 'unknown' },
          { name: 'b', expression: 'variables.a + 1' },
        ],
      },
    ),
    'derives the types of variables from their expressions': validating(
      ...[
        ['1', 'variables.v == "a"'],
        ['"a"', 'variables.v + 1 == ""'],
        ['[1, 2]', 'variables.v == ["a"]'],
        ["{'a': 1}", 'variables.v.a == "b"'],
        ["{'a': [request]}", 'variables.v.a[0].foo == "b"'],
        ['object', 'variables.v.a.b.c'],
        ['request', 'variables.v.foo == 1'],
        ['null', 'variables.v == 1'],
        ['timestamp("2020-01-01T00:00:00Z")', 'variables.v == 1'],
        ['duration("1s")', 'variables.v == 1'],
        ['optional.of(1)', 'variables.v == 1'],
        ['[optional.of(1)]', 'variables.v == [1]'],
        ['b"a"', 'variables.v == 1'],
        ['1u', 'variables.v == "a"'],
        ['1.5', 'variables.v == "a"'],
        ['authorizer', 'variables.v == 1'],
        ['quantity("1")', 'variables.v == 1'],
        ['type(1)', 'variables.v == 1'],
      ].map(([expression, use]) => ({ variables: [{ name: 'v', expression }], validations: [{ expression: use }] })),
    ),
    'rejects variables that are not declared': validating({
      variables: [{ name: 'a', expression: '1' }],
      validations: [{ expression: 'variables.b == 1' }, { expression: 'variables == 1' }, { expression: 'variables' }],
    }),
    'validates the messages of validations': validating(
      { validations: [{ expression: 'true', message: ' ' }] },
      {
        validations: [
          { expression: 'true', message: 'a\nb' },
          { expression: 'true', message: ' a\n' },
        ],
      },
      { validations: [{ expression: 'true', message: 'a\rb', messageExpression: ' ' }] },
      {
        validations: [
          { expression: ' ', reason: 'Unauthorized' },
          { expression: '', reason: 'Forbidden' },
        ],
      },
    ),
    'validates message expressions': validating(
      { validations: [{ expression: 'true', messageExpression: "'a' + request.name" }] },
      { validations: [{ expression: 'true', messageExpression: '1' }] },
      { validations: [{ expression: 'true', messageExpression: 'object.a' }] },
      { validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('a').reason()" }] },
      { validations: [{ expression: 'x', messageExpression: "'a' +" }] },
    ),
    'validates audit annotations': validating(
      { validations: [], auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] },
      {
        validations: [],
        auditAnnotations: [
          { key: 'a', valueExpression: 'null' },
          { key: 'a', valueExpression: '1' },
        ],
      },
      {
        auditAnnotations: [
          { key: '', valueExpression: '' },
          { key: 'a b', valueExpression: ' object ' },
        ],
      },
      {
        auditAnnotations: [
          { key: 'a/b', valueExpression: " 'a' + " },
          { key: 'b', valueExpression: 'x' },
        ],
      },
      { auditAnnotations: [{ key: 'a', valueExpression: `'${'x'.repeat(6000)}'` }] },
      { auditAnnotations: Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: "'a'" })) },
      { auditAnnotations: [{ key: 'a', valueExpression: 'variables.a' }] },
      { auditAnnotations: [{ key: 'a', valueExpression: "string(authorizer.path('/').check('a').allowed())" }] },
    ),
    'accepts valid mutations': mutates(
      { mutations: [applied("Object{metadata: Object.metadata{labels: {'a': 'b'}}}")] },
      { mutations: [applied('Object{spec: Object.spec{replicas: 1, ?paused: object.spec.?paused}}')] },
      { mutations: [applied("has(object.a) ? Object{} : Object{data: Object.data{a: 'b'}}")] },
      { mutations: [patched("[JSONPatch{op: 'add', path: '/a', value: 1}, JSONPatch{op: 'remove', path: '/b'}]")] },
      { mutations: [patched("[JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey('a/b'), value: Object.a{}}]")] },
      { mutations: [patched("[JSONPatch{op: 'move', from: '/a', path: '/b'}].filter(p, p.op == 'move')")] },
      { variables: [{ name: 'a', expression: '1' }], mutations: [applied('Object{a: variables.a}')] },
    ),
    'rejects apply configurations with errors': mutates(
      { mutations: [applied('')] },
      { mutations: [applied(' ')] },
      { mutations: [applied('Object.spec{}')] },
      { mutations: [applied("{'a': 1}")] },
      { mutations: [applied('object')] },
      { mutations: [applied('Object')] },
      { mutations: [applied('Object{spec: unknown}')] },
      { mutations: [applied('Object{a: 1, b: Other{}}')] },
      { mutations: [applied('Object{"a": 1}')] },
      { mutations: [applied('Object{a: 1, "b": 2}')] },
      { mutations: [applied('Object{?a: 1}')] },
      { mutations: [applied('int{}')] },
      { mutations: [applied('variables.a')] },
      { mutations: [applied('Object{a: request.foo}')] },
    ),
    'rejects JSON patches with errors': mutates(
      { mutations: [patched('')] },
      { mutations: [patched('[]')] },
      { mutations: [patched('[1]')] },
      { mutations: [patched('JSONPatch{}')] },
      { mutations: [patched('[Object{}]')] },
      { mutations: [patched('[JSONPatch{op: 1}]')] },
      { mutations: [patched("[JSONPatch{other: 'a'}]")] },
      { mutations: [patched('[JSONPatch{op: object.a, path: dyn(1), from: null}]')] },
      { mutations: [patched("[JSONPatch{op: 'add'}, Object{}]")] },
      { mutations: [patched('[JSONPatch{op: jsonpatch.escapeKey(1)}]')] },
      { mutations: [patched('[JSONPatch{}.other]')] },
    ),
    'rejects mutations with missing or contradictory fields, and mutations of deletions': mutates(
      { mutations: [{ patchType: '' }, {}] },
      { mutations: [{ patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }] },
      { mutations: [{ ...applied('Object{}'), jsonPatch: { expression: '[]' } }] },
      { mutations: [{ ...patched("[JSONPatch{op: 'a'}]"), applyConfiguration: { expression: 'x' } }] },
      { mutations: [] },
      { matchConstraints: { resourceRules: [{ ...configMapRule, operations: ['DELETE', '*'] }] } },
      { matchConstraints: { resourceRules: [{ ...configMapRule, operations: ['*'] }] }, reinvocationPolicy: '' },
    ),
    'rejects invalid variables and match conditions of mutating policies': mutates(
      { variables: [{ name: 'a', expression: 'Object{}' }] },
      { matchConditions: [condition('Object{} == Object{}'), condition('object', 'b')] },
      {
        variables: [
          { name: 'a', expression: 'x' },
          { name: 'in', expression: '1' },
        ],
      },
    ),
    'rejects bindings of mutating policies that match deletions': async (api) => {
      const spec = {
        policyName: 'a',
        matchResources: { resourceRules: [{ ...configMapRule, operations: ['DELETE', 'CREATE'] }] },
      };
      await refused(api, 'mutatingadmissionpolicybindings', { metadata: { name: 'a' }, spec });
    },
    'does not validate match conditions of policies that an update does not change': async (api) => {
      const name = api.name('policy');
      const path = `${admission(policies)}/${name}`;
      const spec = { matchConditions: [condition('params == null')], ...params };
      const only = { only: ['message', 'metadata.generation'] };
      await api.post(admission(policies), validatingPolicy(name, spec), { quiet: true });
      await api.patch(path, { spec: { paramKind: null } }, only);
      await api.patch(path, { spec: { matchConditions: [condition('object')] } }, only);
      await api.patch(path, { spec: { validations: [{ expression: 'object' }] } }, only);
      await api.patch(path, { spec: { validations: [{ expression: 'false' }] } }, only);
    },
  },
);
