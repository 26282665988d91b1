import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionCompiler, AdmissionEvaluation, POLICY_BUDGET, RuleValidator } from '@kubewright/api/cel';
import { deepFreeze } from '@kubewright/api/json';
import { type StructuralSchema, validate } from '@kubewright/api/schema';
import { randomNumbers } from '@kubewright/testing';
import { transformSync } from 'esbuild';
import { type Candidate, candidateOf } from './candidate.js';
import { validatorsIn } from './validator-source.js';
import { candidates } from '../../test-support/validators.js';

const text = (more: StructuralSchema = {}): StructuralSchema => ({ type: 'string', maxLength: 100, ...more });
const int32: StructuralSchema = { type: 'integer', format: 'int32' };
const schema: StructuralSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['id', 'size', 'mode', 'expires'],
      properties: {
        id: text({ pattern: '^[a-z0-9-]*$' }),
        title: text(),
        note: text({ default: 'none' }),
        mode: text({ enum: ['auto', 'manual', 'off'] }),
        expires: { type: 'string', format: 'date-time', maxLength: 40 },
        size: int32,
        most: int32,
        huge: { type: 'integer' },
        ratio: { type: 'number' },
        enabled: { type: 'boolean' },
        port: { 'x-kubernetes-int-or-string': true },
        tags: { type: 'array', maxItems: 5, items: text() },
        ports: {
          type: 'array',
          maxItems: 4,
          items: {
            type: 'object',
            required: ['name', 'port'],
            properties: { name: text(), port: int32, protocol: text() },
          },
        },
        labels: { type: 'object', maxProperties: 4, additionalProperties: text() },
        limits: { type: 'object', required: ['memory'], properties: { memory: int32, cpu: int32, unit: text() } },
      },
    },
    status: { type: 'object', properties: { phase: text() } },
  },
};

/** Texts with characters that JavaScript and RE2 or CEL could handle in different ways. */
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'x-1',
  'TCP',
  'UDP',
  'web',
  'a\nb',
  'a\u2028b',
  '\u{1F600}',
  'a\u{1F600}',
  '\u{1F600}\u{1F600}',
  'ä',
  "it's",
  '\\',
  'aaaaa',
  'toString',
  '42',
  '\u00a0',
  'K',
  'ſ',
  'v1.2',
];
const NUMBERS = [-1, 0, 1, 2, 3, 5, 10, 80, 443, 2 ** 31 - 1, -(2 ** 31)];
const EXPIRES = ['2030-01-02T03:04:05Z', '2030-01-02T04:04:05+01:00'];

class Generator {
  readonly #random: () => number;
  constructor(seed: string) {
    this.#random = randomNumbers(seed);
  }
  one<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
  value(of: StructuralSchema): unknown {
    if (of['x-kubernetes-int-or-string'] === true) return this.one<unknown>([1, 'http']);
    switch (of.type) {
      case 'object':
        return of.additionalProperties === undefined ? this.#object(of) : this.#map(of.additionalProperties);
      case 'array':
        return Array.from({ length: this.one([0, 1, 2, 3]) }, () => this.value(of.items ?? {}));
      case 'integer':
        return this.one<unknown>(of.format === 'int32' ? NUMBERS : [...NUMBERS, 2 ** 53 - 1, 2n ** 60n, -(2n ** 60n)]);
      case 'number':
        return this.one([0, 0.5, 1, 2.25, -3, 3]);
      case 'boolean':
        return this.one([true, false]);
      default:
        return this.one<unknown>(of.enum ?? (of.format === undefined ? TEXTS : EXPIRES));
    }
  }
  #map(of: StructuralSchema | boolean): unknown {
    const keys = ['team', 'a/b', 'x'].filter(() => this.#random() < 0.5);
    return Object.fromEntries(keys.map((key) => [key, this.value(of as StructuralSchema)]));
  }
  #object({ properties = {}, required = [] }: StructuralSchema): unknown {
    const given = Object.entries(properties).filter(([name]) => required.includes(name) || this.#random() < 0.6);
    return Object.fromEntries(
      given.map(([name, of]) => [
        name,
        of.pattern === undefined ? this.value(of) : this.one(['', 'a', 'x-1', 'aaaaa']),
      ]),
    );
  }
  object(name: string): Record<string, unknown> {
    for (;;) {
      const { spec, status } = schema.properties ?? {};
      const content = this.value(spec ?? {}) as Record<string, unknown>;
      content['note'] ??= 'none';
      const labels = this.one<object>([{}, { labels: { team: this.one(['red', 'blue']) } }]);
      const object = {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name, ...(this.#random() < 0.8 && { namespace: 'default' }), ...labels },
        spec: content,
        ...(this.#random() < 0.5 && { status: this.value(status ?? {}) }),
      };
      if (validate(object, schema).length === 0) return object;
    }
  }
}

interface Case {
  readonly object: Record<string, unknown>;
  readonly old: Record<string, unknown> | undefined;
  readonly request: Readonly<Record<string, unknown>>;
}
function cases(seed: string): readonly Case[] {
  const generator = new Generator(seed);
  return Array.from({ length: 400 }, () => {
    const name = generator.one(['a', 'web', 'x-1', 'aaaaa']);
    const object = generator.object(name);
    const old = generator.one([undefined, structuredClone(object), generator.object(name)]);
    const namespace = (object['metadata'] as { readonly namespace?: string }).namespace;
    const request = {
      operation: old === undefined ? 'CREATE' : 'UPDATE',
      ...(generator.one([true, false]) && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(generator.one([true, false]) && { dryRun: generator.one([true, false]) }),
      userInfo: {
        username: generator.one(['alice', 'system:admin']),
        ...(generator.one([true, false]) && { groups: ['admins'] }),
      },
    };
    return { object: deepFreeze(object), old: old && deepFreeze(old), request };
  });
}

const all = cases('candidates');

/** Returns the context that the manager derives from a request. */
function contextOf({ request }: Case): object {
  const { operation, name = '', namespace, dryRun = false, userInfo } = request;
  const { username, groups = [] } = userInfo as { readonly username: string; readonly groups?: readonly string[] };
  return {
    operation: String(operation).toLowerCase(),
    name,
    namespace,
    dryRun,
    user: { name: username, groups },
    warn: () => undefined,
  };
}

type Verdict = (one: Case) => boolean;

/** Compiles a validator to JavaScript. The result reports whether the validator admits the objects of a case. */
async function inTypeScript(constants: string, method: string, isAdmission: boolean): Promise<Verdict> {
  const { code } = transformSync(`${constants}\nclass Checks { ${method} }`, { loader: 'ts' });
  const loaded = (await import(`data:text/javascript,${encodeURIComponent(`${code}; export { Checks };`)}`)) as {
    readonly Checks: new () => { validate(...given: unknown[]): readonly unknown[] };
  };
  const checks = new loaded.Checks();
  return (one) => {
    const { object, old } = one;
    const context = contextOf(one);
    const found = isAdmission ? checks.validate({ ...context, object, old }) : checks.validate(object, old, context);
    return found.length === 0;
  };
}

function inPolicy({ rules }: Candidate): Verdict {
  const compiler = new AdmissionCompiler();
  const expressions = rules.map(({ rule }) => compiler.compile(rule, 'condition'));
  return ({ object, old, request }) => {
    const evaluation = new AdmissionEvaluation(compiler, { object, oldObject: old, request }, POLICY_BUDGET);
    return expressions.every((expression) => {
      const result = evaluation.evaluate(expression);
      assert.ok('value' in result, `${expression.source}: ${'error' in result ? result.error : ''}`);
      return result.value === true;
    });
  };
}

function inSchema({ place, rules }: Candidate): Verdict {
  const { spec } = schema.properties ?? {};
  const ruled = { 'x-kubernetes-validations': rules };
  const whole =
    place === 'kind'
      ? { ...schema, ...ruled }
      : { ...schema, properties: { ...schema.properties, spec: { ...spec, ...ruled } } };
  const validator = RuleValidator.compile(whole);
  assert.ok(validator);
  return ({ object, old }) => {
    const { errors, warnings } = validator.validate(object, old);
    // An update that does not change an invalid value only has a warning.
    return errors.length === 0 && warnings.length === 0;
  };
}

for (const { title, constants = '', method, expected, decorator = 'Validator', operations } of candidates) {
  test(`candidateOf ${title}`, async () => {
    const source = `import { ${decorator} } from '@kubewright/api';
${constants}
@${decorator}({ for: Widget })
export class Checks { ${method} }`;
    const [validator] = validatorsIn({ path: 'src/checks.ts', text: source });
    const subject = { schema, operations: operations ?? ['CREATE', 'UPDATE'] };
    const find = (isForAll: boolean): Candidate | undefined =>
      validator && candidateOf({ ...subject, validator, isForAll });
    const found = find(true);
    assert.deepEqual(
      found && { place: found.place, rules: found.rules.map(({ rule }) => rule) },
      expected && { place: expected[0], rules: expected.slice(1) },
    );
    const policy = find(false);
    assert.equal(policy?.place, expected && 'policy');
    if (found === undefined || policy === undefined) return;
    const isAdmitted = await inTypeScript(constants, method, decorator === 'Admission');
    const inCel = { policy: inPolicy(policy), ...(found.place !== 'policy' && { rules: inSchema(found) }) };
    const sent = all.filter(({ request }) => subject.operations.includes(request['operation'] as string));
    const verdicts = sent.map(isAdmitted);
    assert.equal(new Set(verdicts).size, 2, 'the generated objects have both verdicts');
    for (const [name, verdict] of Object.entries(inCel)) {
      for (const [index, one] of sent.entries()) {
        assert.equal(
          verdict(one),
          verdicts[index],
          `${name}: ${JSON.stringify(one, (_, each) => (typeof each === 'bigint' ? Number(each) : each))}`,
        );
      }
    }
  });
}
