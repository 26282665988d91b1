import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationCheck } from '../library/authorizer-values.js';
import { AdmissionCompiler, admissionFunctions, type ExpressionUse } from './admission-compiler.js';
import { type AdmissionBindings, AdmissionEvaluation, OutOfBudget, POLICY_BUDGET } from './admission-evaluation.js';

const functions = admissionFunctions();
const request = {
  operation: 'CREATE',
  userInfo: { username: 'jane', groups: ['dev'] },
  kind: { group: '', kind: 'Pod' },
};

function evaluate(
  source: string,
  bindings: Partial<AdmissionBindings> = {},
  {
    use = 'condition',
    variables = [],
  }: { use?: ExpressionUse; variables?: readonly (readonly [string, string])[] } = {},
): unknown {
  const compiler = new AdmissionCompiler({ composited: true, functions });
  for (const [name, expression] of variables) compiler.declare(name, expression, { params: true });
  const evaluation = new AdmissionEvaluation(compiler, { request, ...bindings }, POLICY_BUDGET);
  const result = evaluation.evaluate(compiler.compile(source, use, { params: true }));
  return 'error' in result ? result.error : result.value;
}

const object = {
  metadata: { name: 'a', labels: { app: 'web', 'x/y': 'z' }, annotations: null },
  spec: { replicas: 3, ratio: 0.5, containers: [{ name: 'c', ports: [80, 443] }], big: 9007199254740993n },
};

const truths: readonly string[] = [
  'object.spec.replicas == 3 && type(object.spec.replicas) == int && object.spec.ratio == 0.5',
  'object.spec.big == 9007199254740993',
  "object.metadata.labels['x/y'] == 'z' && 'app' in object.metadata.labels && !('b' in object.metadata.labels)",
  'has(object.metadata.labels.app) && !has(object.metadata.labels.other) && has(object.metadata.annotations)',
  'object.metadata.annotations == null && oldObject == null && params == null && namespaceObject == null',
  "object.spec.containers.all(c, c.name == 'c' && c.ports.exists(p, p == 443))",
  "object.spec.containers.map(c, c.name) == ['c'] && object.spec.containers[0].ports == [80, 443]",
  "object.metadata.labels == {'app': 'web', 'x/y': 'z'} && object == object && object.spec != object.metadata",
  "object.spec.?other.orValue('none') == 'none' && object.?spec.?replicas.orValue(0) == 3",
  'object.spec.containers + object.spec.containers == [object.spec.containers[0], object.spec.containers[0]]',
  "request.userInfo.username == 'jane' && 'dev' in request.userInfo.groups && !has(request.subResource)",
  "object.metadata.labels.exists(key, key == 'app') && size(object.metadata.labels) == 2",
];

for (const source of truths) {
  test(`an expression reads untyped objects: ${source}`, () => {
    assert.equal(evaluate(source, { object }), true);
  });
}

const failures: readonly (readonly [string, string])[] = [
  ['object.spec.other == 1', 'no such key: other'],
  ['object.spec.containers[1] == 1', 'index out of bounds: 1'],
  ['oldObject.spec == 1', 'no such key: spec'],
  ['object.spec.replicas.startsWith("a")', 'no such overload'],
  ['object.spec.replicas', 'must evaluate to bool but got dyn'],
];

for (const [source, message] of failures) {
  test(`AdmissionEvaluation reports a failed evaluation: ${source}`, () => {
    const expected = message.startsWith('must')
      ? `compilation error: ${message}`
      : `expression '${source}' resulted in error: ${message}`;
    assert.equal(evaluate(source, { object }), expected);
  });
}

test('AdmissionEvaluation reports a declared value whose actual type differs from the declared type', () => {
  const namespaceObject = { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } };
  const source = 'namespaceObject.metadata.creationTimestamp.getFullYear() == 2020';
  assert.match(String(evaluate(source, { namespaceObject })), /resulted in error: no such overload/);
});

test('AdmissionEvaluation evaluates each variable at most once, and only if it is read', () => {
  const checks: AuthorizationCheck[] = [];
  const authorize = (check: AuthorizationCheck): { allowed: boolean; reason: string } => {
    checks.push(check);
    return { allowed: true, reason: 'why' };
  };
  const variables = [
    ['used', "authorizer.requestResource.check('get').allowed()"],
    ['unused', "authorizer.path('/x').check('get').allowed()"],
    ['both', 'variables.used && variables.used'],
  ] as const;
  const requestResource = { group: 'apps', resource: 'deployments', subresource: '', namespace: 'n', name: 'x' };
  assert.equal(evaluate('variables.both && variables.used', { authorize, requestResource }, { variables }), true);
  assert.deepEqual(checks, [
    {
      kind: 'resource',
      serviceAccount: undefined,
      ...requestResource,
      fieldSelector: '',
      labelSelector: '',
      verb: 'get',
    },
  ]);
});

test('AdmissionEvaluation reports the variable that fails', () => {
  const variables = [
    ['missing', 'object.missing'],
    ['broken', 'undeclared'],
  ] as const;
  assert.equal(
    evaluate('variables.missing == 1', { object }, { variables }),
    `expression 'variables.missing == 1' resulted in error: composited variable "missing" fails to evaluate: no such key: missing`,
  );
  assert.match(
    String(evaluate('variables.broken == 1', { object }, { variables })),
    /resulted in error: composited variable "broken" fails to compile: compilation failed: ERROR: <input>:1:1: undeclared reference/,
  );
});

test('AdmissionEvaluation reports a variable that reads itself', () => {
  const variables = [
    ['a', '1'],
    ['a', 'variables.a + 1'],
  ] as const;
  assert.match(String(evaluate('variables.a == 2', {}, { variables })), /composited variable "a" fails to evaluate/);
});

test('AdmissionEvaluation evaluates authorizer checks of service accounts and paths', () => {
  const authorize = (check: AuthorizationCheck): { allowed: boolean; reason: string; error?: string } => {
    const { serviceAccount: account } = check;
    if (check.kind === 'path') return { allowed: check.path === '/ok', reason: account?.name ?? '' };
    return {
      allowed: false,
      reason: `${check.group}/${check.resource}/${check.subresource}/${check.name}`,
      error: 'e',
    };
  };
  const holds = (source: string): void => assert.equal(evaluate(source, { authorize }), true, source);
  holds("authorizer.serviceAccount('ns', 'sa').path('/ok').check('get').reason() == 'sa'");
  holds("!authorizer.path('/other').check('get').allowed()");
  holds(
    "authorizer.group('g').resource('r').subresource('s').name('n').namespace('x').check('get').reason() == 'g/r/s/n'",
  );
  holds("authorizer.group('').resource('r').check('get').error() == 'e'");
  const fails = (source: string, why: string): void => {
    assert.equal(evaluate(source, { authorize }), `expression '${source}' resulted in error: ${why}`);
  };
  fails("authorizer.path(' ').check('get').allowed()", 'path must not be empty');
  fails("authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty');
  fails("authorizer.serviceAccount('ns', 'A').path('/').check('get').allowed()", 'Invalid service account name');
  fails("authorizer.serviceAccount('N', 'a').path('/').check('get').allowed()", 'Invalid service account namespace');
});

test('AdmissionEvaluation permits at most two authorizer checks in an expression', () => {
  const authorize = (): { allowed: boolean; reason: string } => ({ allowed: true, reason: '' });
  const check = "authorizer.path('/').check('get').allowed()";
  assert.equal(evaluate(`${check} && ${check}`, { authorize }), true);
  const three = `${check} && ${check} && ${check}`;
  const why = 'operation cancelled: actual cost limit exceeded';
  assert.equal(evaluate(three, { authorize }), `expression '${three}' resulted in error: ${why}`);
});

test('AdmissionEvaluation charges variables and expressions to the budget of the request', () => {
  const compiler = new AdmissionCompiler({ composited: true, functions });
  compiler.declare('check', "authorizer.path('/').check('get').allowed()");
  const expression = compiler.compile('variables.check', 'condition');
  assert.equal(expression.error?.detail, undefined);
  const authorize = (): { allowed: boolean; reason: string } => ({ allowed: true, reason: '' });
  const evaluation = new AdmissionEvaluation(compiler, { request, authorize }, 400_000);
  evaluation.evaluate(expression);
  assert.equal(evaluation.budget, 400_000 - 350_005);
  // The second evaluation does not charge the variable again.
  evaluation.evaluate(expression);
  assert.equal(evaluation.budget, 400_000 - 350_007);
  const small = new AdmissionEvaluation(compiler, { request, authorize }, 100);
  assert.throws(() => small.evaluate(expression), OutOfBudget);
});
