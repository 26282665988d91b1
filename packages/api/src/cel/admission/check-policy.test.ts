import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInSchema } from '../../built-in/built-in-kinds.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type PolicyExpressions, policyProblems } from './check-policy.js';

const text: StructuralSchema = { type: 'string' };
const object: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        schedule: text,
        'time-zone': text,
        namespace: text,
        suspend: { type: 'boolean' },
        replicas: { type: 'integer' },
        ratio: { type: 'number' },
        port: { 'x-kubernetes-int-or-string': true },
        at: { type: 'string', format: 'date-time' },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: text },
        jobs: { type: 'array', items: { type: 'object', properties: { name: text, size: { type: 'integer' } } } },
      },
    },
  },
};
const params: StructuralSchema = {
  type: 'object',
  properties: { limits: { type: 'object', properties: { max: { type: 'integer' } } } },
};
const sample = {
  object: { metadata: { name: 'a' }, spec: { schedule: '@daily', jobs: [{ name: 'a' }] } },
  request: {},
};

const nothing: PolicyExpressions = {
  matchConditions: [],
  variables: [],
  validations: [],
  auditAnnotations: [],
  mutations: [],
};

function problems(policy: Partial<PolicyExpressions>, schema: StructuralSchema | 'none' = object): readonly string[] {
  const check = { schemas: { ...(schema !== 'none' && { object: schema }), params }, params: true, sample };
  return policyProblems({ ...nothing, ...policy }, check).map(({ path, message }) => `${path}: ${message}`);
}
const rule = (source: string): readonly string[] => problems({ validations: [{ rule: source }] });
const apply = (source: string): readonly string[] => problems({ mutations: [{ apply: source }] });

describe('policyProblems', () => {
  for (const source of [
    "object.spec.schedule != '' && oldObject == null",
    "object.metadata.labels['a'] == 'b' && object.metadata.?annotations['c'].orValue('') == ''",
    'object.metadata.namespace == namespaceObject.metadata.name && object.spec.namespace == request.namespace',
    "object.spec.at.startsWith('2026') && timestamp(object.spec.at) < timestamp('2027-01-01T00:00:00Z')",
    'object.spec.ratio + 1 > 2 && object.spec.ratio + 1.5 > 2.5',
    "object.spec.port == 'http' || object.spec.port > 80",
    'object.spec.any.a.b > 1 && object.spec.open.a.b > 1',
    "object.spec.jobs.all(job, job.name != '' && job.size < params.limits.max)",
    "dyn(object.spec)['time-zone'] == 'UTC'",
    "authorizer.group('').resource('pods').check('get').allowed()",
    'object.spec == oldObject.spec',
  ]) {
    it(`accepts the rule ${source}`, () => assert.deepEqual(rule(source), []));
  }

  it('reports an undefined field with its position and a suggestion', () => {
    assert.deepEqual(rule("object.spec.scedule != ''"), [
      "validations[0].rule: undefined field 'scedule' (at column 12; did you mean 'schedule'?)",
    ]);
    assert.deepEqual(rule('object.spec.jobs.all(job, job.sise > 1)'), [
      "validations[0].rule: undefined field 'sise' (at column 30; did you mean 'size'?)",
    ]);
    assert.deepEqual(rule('params.limits.maximum > 1'), [
      "validations[0].rule: undefined field 'maximum' (at column 14)",
    ]);
  });
  it('reports a misspelled variable and a misspelled function', () => {
    assert.deepEqual(rule("objct.metadata.name == ''"), [
      "validations[0].rule: undeclared reference to 'objct' (in container '') (at column 1; did you mean 'object'?)",
    ]);
    assert.deepEqual(rule("object.spec.schedule.startWith('a')"), [
      "validations[0].rule: undeclared reference to 'startWith' (in container '') (at column 31; did you mean 'startsWith'?)",
    ]);
  });
  it('does not suggest a name that the API server does not know', () => {
    assert.deepEqual(rule('object.spec.time__dash__zone == ""'), [
      "validations[0].rule: undefined field 'time__dash__zone' (at column 12)",
    ]);
  });
  it('keeps the types of variables', () => {
    const variables = [
      { name: 'spec', expression: 'object.spec' },
      { name: 'size', expression: 'variables.spec.jobs.size()' },
    ];
    assert.deepEqual(problems({ variables, validations: [{ rule: 'variables.size < 3' }] }), []);
    assert.deepEqual(problems({ variables, validations: [{ rule: 'variables.spec.jbs.size() < variables.sze' }] }), [
      "validations[0].rule: undefined field 'jbs' (at column 15; did you mean 'jobs'?); undefined field 'sze' (at column 38; did you mean 'size'?)",
    ]);
  });
  it('reports the errors of all expressions, each with its option', () => {
    const broken = 'object.spec.x';
    assert.deepEqual(
      problems({
        matchConditions: [{ name: 'a', expression: 'variables.a' }],
        variables: [{ name: 'a', expression: broken }],
        validations: [{ rule: 'true' }, { rule: '1', messageExpression: broken }],
        auditAnnotations: [{ key: 'k', expression: broken }],
        mutations: [{ patch: broken }],
      }),
      [
        "matchConditions[0].expression: undeclared reference to 'variables' (in container '') (at column 1)",
        "variables.a: undefined field 'x' (at column 12)",
        'validations[1].rule: must evaluate to bool but got int',
        "validations[1].messageExpression: undefined field 'x' (at column 12)",
        "auditAnnotations[k]: undefined field 'x' (at column 12)",
        "mutations[0].patch: undefined field 'x' (at column 12)",
      ],
    );
  });
  it('reports expressions that the API server rejects because it does not know the types of fields', () => {
    assert.deepEqual(rule('object.spec.suspend'), [
      "validations[0].rule: must evaluate to bool but got dyn; the API server does not know the types of fields; compare the value, for example with '== true'",
    ]);
    assert.deepEqual(problems({ validations: [{ rule: 'true', messageExpression: 'object.spec.schedule' }] }), [
      "validations[0].messageExpression: must evaluate to string but got dyn; the API server does not know the types of fields; write 'string(…)'",
    ]);
  });
  it('does not check fields of kinds without a schema', () => {
    assert.deepEqual(problems({ validations: [{ rule: 'object.spec.anything == oldObject.x' }] }, 'none'), []);
    const applied = { mutations: [{ apply: 'Object{spec: Object.spec{anything: 1}}' }] };
    assert.deepEqual(policyProblems({ ...nothing, ...applied }, { schemas: {}, params: false, sample }), []);
  });
  it('checks the fields of built-in kinds, also of schemas that contain themselves', () => {
    const pod = builtInSchema('v1', 'Pod');
    const pods = (source: string): readonly string[] => problems({ validations: [{ rule: source }] }, pod);
    assert.deepEqual(pods("object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))"), []);
    assert.match(pods('object.spec.contaners.size() > 1').join(), /did you mean 'containers'\?/);
    const crd = builtInSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    const nested = "object.spec.versions[0].schema.openAPIV3Schema.not.not.type == 'string'";
    assert.deepEqual(problems({ validations: [{ rule: nested }] }, crd), []);
  });
  it('checks the fields and the types of constructed objects', () => {
    assert.deepEqual(
      apply("Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{schedule: 'a'}}"),
      [],
    );
    assert.deepEqual(
      apply(
        'Object{spec: Object.spec{labels: object.spec.labels, any: {"a": 1}, jobs: [Object.spec.jobs{name: "a"}]}}',
      ),
      [],
    );
    assert.deepEqual(apply("Object{spec: Object.spec{scedule: 'a'}}"), [
      "mutations[0].apply: undefined field 'scedule' (at column 33; did you mean 'schedule'?)",
    ]);
    assert.deepEqual(apply('Object{sepc: Object.sepc{replicas: 1}}'), [
      "mutations[0].apply: undefined field 'sepc' (at column 12; did you mean 'spec'?); undeclared reference to 'Object.sepc' (in container '') (at column 25; did you mean 'spec'?)",
    ]);
    assert.deepEqual(apply("Object{spec: Object.spec{replicas: 'a'}}"), [
      "mutations[0].apply: expected type of field 'replicas' is 'int' but provided type is 'string' (at column 34)",
    ]);
    assert.deepEqual(apply('Object{spec: Object.metadata{}}'), [
      'mutations[0].apply: type mismatch: unexpected type name "Object.metadata", expected "Object.spec", which matches field name path from root Object type',
    ]);
  });
  it('reports expressions that exceed the cost limits of the API server for the sample', () => {
    const many = `[${Array.from({ length: 150 }, (_, at) => at).join(', ')}]`;
    const costly = `${many}.all(a, ${many}.all(b, ${many}.all(c, a + b + c >= 0)))`;
    const expected = /: the cost exceeds the budget of the API server even for a small object/;
    assert.match(rule(costly).join(), expected);
    assert.match(problems({ matchConditions: [{ name: 'a', expression: costly }] }).join(), expected);
    assert.match(
      problems({ variables: [{ name: 'v', expression: costly }], validations: [{ rule: 'variables.v' }] }).join(),
      expected,
    );
  });
});
