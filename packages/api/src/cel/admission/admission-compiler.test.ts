import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionCompiler, admissionFunctions, type ExpressionUse } from './admission-compiler.js';

const functions = admissionFunctions();

function errorOf(source: string, use: ExpressionUse = 'condition', params = false): string | undefined {
  return new AdmissionCompiler({ functions }).compile(source, use, { params }).error?.detail;
}

const valid: readonly (readonly [ExpressionUse, string])[] = [
  ['condition', 'object.spec.replicas > 3 && oldObject == null'],
  ['condition', "request.kind.group == 'apps' && request.resource.resource == 'deployments' && !request.dryRun"],
  ['condition', "request.namespace == namespaceObject.metadata.name && request.userInfo.extra['a'][0] == 'b'"],
  ['condition', "authorizer.group('apps').resource('deployments').check('create').allowed()"],
  ['condition', "authorizer.requestResource.check('update').reason() == ''"],
  ['condition', "authorizer.serviceAccount('ns', 'sa').path('/healthz').check('get').errored()"],
  ['message', "'replicas: ' + string(object.spec.replicas)"],
  ['auditAnnotation', "'a'"],
  ['auditAnnotation', 'null'],
  ['variable', 'object'],
  ['applyConfiguration', "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"],
  ['applyConfiguration', 'Object{spec: Object.spec{replicas: object.spec.replicas + 1, ?paused: object.spec.?paused}}'],
  ['jsonPatch', "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]"],
  ['jsonPatch', "has(object.a) ? [JSONPatch{op: 'remove', path: '/a'}] : []"],
];

for (const [use, source] of valid) {
  test(`AdmissionCompiler compiles an expression with the use ${use}: ${source}`, () => {
    assert.equal(errorOf(source, use), undefined);
  });
}

test('AdmissionCompiler declares params only for policies with a paramKind', () => {
  assert.equal(errorOf('params.limit > 3', 'condition', true), undefined);
  assert.match(errorOf('params.limit > 3') ?? '', /undeclared reference to 'params' \(in container ''\)/);
});

test('AdmissionCompiler reports an expression whose result has the wrong type', () => {
  assert.equal(errorOf('object.spec'), 'must evaluate to bool but got dyn');
  assert.equal(errorOf('[1]'), 'must evaluate to bool but got list(int)');
  assert.equal(errorOf("timestamp('2020-01-01T00:00:00Z')"), 'must evaluate to bool but got google.protobuf.Timestamp');
  assert.equal(errorOf('1', 'message'), 'must evaluate to string but got int');
  assert.equal(errorOf('1', 'auditAnnotation'), 'must evaluate to one of [string null_type] but got int');
  assert.equal(errorOf('Object.spec{}', 'applyConfiguration'), 'must evaluate to Object but got Object.spec');
  assert.equal(errorOf('[Object{}]', 'jsonPatch'), 'must evaluate to list(JSONPatch) but got list(Object)');
});

test('AdmissionCompiler reports compile errors with their position', () => {
  assert.equal(
    errorOf('request.foo == 1'),
    "compilation failed: ERROR: <input>:1:8: undefined field 'foo'\n | request.foo == 1\n | .......^",
  );
  assert.equal(
    errorOf('object.a >'),
    "compilation failed: ERROR: <input>:1:11: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | object.a >\n | ..........^",
  );
});

test('AdmissionCompiler does not declare the types of mutations in other expressions', () => {
  assert.match(errorOf('Object{} == Object{}') ?? '', /undeclared reference to 'Object'/);
  assert.match(errorOf("jsonpatch.escapeKey('a') == 'a'") ?? '', /undeclared reference to 'jsonpatch'/);
});

test('AdmissionCompiler rejects unknown fields and field values of the wrong type in JSON patches', () => {
  assert.match(
    errorOf('[JSONPatch{op: 1}]', 'jsonPatch') ?? '',
    /<input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'/,
  );
  assert.match(
    errorOf("[JSONPatch{other: 'a'}]", 'jsonPatch') ?? '',
    /expected type of field 'other' is '' but provided type is 'string'/,
  );
});

test('AdmissionCompiler does not declare the authorizer in messages', () => {
  assert.match(
    errorOf("authorizer.path('/').check('get').reason()", 'message') ?? '',
    /undeclared reference to 'authorizer'/,
  );
});

test('AdmissionCompiler declares variables with the types of their expressions', () => {
  const compiler = new AdmissionCompiler({ composited: true, functions });
  compiler.declare('names', "object.items.map(i, 'x')");
  compiler.declare('first', 'variables.names[0]');
  compiler.declare('request', 'request');
  compiler.declare('broken', 'undeclared');
  const detail = (source: string): string | undefined => compiler.compile(source, 'condition').error?.detail;
  assert.equal(detail("variables.first == 'x' && variables.names.size() == 1"), undefined);
  assert.match(
    detail('variables.first == 1') ?? '',
    /found no matching overload for '_==_' applied to '\(string, int\)'/,
  );
  assert.match(detail('variables.other == 1') ?? '', /undefined field 'other'/);
  assert.equal(detail('variables.request.foo == 1 && variables.broken == 1'), undefined);
  assert.match(compiler.declared.get('broken')?.error?.detail ?? '', /undeclared reference to 'undeclared'/);
});

test('AdmissionCompiler reports an internal error for a constant that cannot be converted', () => {
  const { error } = new AdmissionCompiler({ functions }).compile("int('x') == 1", 'condition');
  assert.equal(error?.kind, 'internal');
  assert.match(error.detail, /^program instantiation failed: /);
});
