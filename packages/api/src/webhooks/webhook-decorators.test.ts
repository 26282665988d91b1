import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Field } from '../fields/field.js';
import { Pod } from '../generated/core/v1.js';
import type { Eviction } from '../generated/policy/v1.js';
import { CustomResource } from '../kinds/custom-resource.js';
import { dynamicKind } from '../kinds/dynamic-kind.js';
import { Kind } from '../kinds/kind.js';
import type { Draft } from '../objects/readonly.js';
import { Admission } from './admission.js';
import { Authenticator } from './authenticator.js';
import { type ConvertedContent, Converter } from './converter.js';
import { Defaulter } from './defaulter.js';
import { webhooksOf } from './record-webhook.js';
import { Validator } from './validator.js';
import type { Violation } from './violation.js';

class Spec {
  @Field.string() schedule!: string;
}
@Kind({ group: 'example.com', version: 'v1', kind: 'CronJob' })
class CronJob extends CustomResource(Spec) {}
class OldSpec {
  @Field.string() cron!: string;
}
@Kind({ group: 'example.com', version: 'v1alpha1', kind: 'CronJob' })
class OldCronJob extends CustomResource(OldSpec) {}

@Defaulter({ for: CronJob, reinvocationPolicy: 'IfNeeded' })
@Validator({ for: CronJob, operations: ['delete'], timeoutSeconds: 3 })
@Validator({ for: OldCronJob, name: 'old.cronjob.example.com' })
class Both implements Defaulter<CronJob>, Validator<CronJob | OldCronJob> {
  default(draft: Draft<CronJob>): void {
    draft.spec.schedule ??= '@daily';
  }
  validate(): Violation[] {
    return [];
  }
}
class Derived extends Both {}

@Admission({ for: Pod, subresource: 'eviction', operations: ['create'] })
class Guard implements Admission<Eviction> {
  validate(): Violation[] {
    return [];
  }
}

@Converter({ from: OldCronJob, hub: CronJob, lossless: false })
class CronJobConverter implements Converter<OldCronJob, CronJob> {
  up({ spec }: OldCronJob): ConvertedContent<CronJob> {
    return { spec: { schedule: spec.cron } };
  }
  down({ spec }: CronJob): ConvertedContent<OldCronJob> {
    return { spec: { cron: spec.schedule } };
  }
}

test('decorators of webhooks record their options in the order of the source', () => {
  assert.deepEqual(webhooksOf(Both), [
    { type: 'defaulter', options: { for: CronJob, reinvocationPolicy: 'IfNeeded' } },
    { type: 'validator', options: { for: CronJob, operations: ['delete'], timeoutSeconds: 3 } },
    { type: 'validator', options: { for: OldCronJob, name: 'old.cronjob.example.com' } },
  ]);
  assert.deepEqual(webhooksOf(Guard), [
    { type: 'admission', options: { for: Pod, subresource: 'eviction', operations: ['create'] } },
  ]);
  assert.deepEqual(webhooksOf(CronJobConverter), [
    { type: 'converter', options: { from: OldCronJob, hub: CronJob, lossless: false } },
  ]);
});

test('@Authenticator records its path, and rejects invalid options and a class without the method', () => {
  @Authenticator({ path: '/tokens' })
  class Tokens implements Authenticator {
    authenticate(): undefined {
      return undefined;
    }
  }
  assert.deepEqual(webhooksOf(Tokens), [{ type: 'authenticator', options: { path: '/tokens' } }]);
  const apply = (options: object, target: object = Tokens): void => Authenticator(options)(target as typeof Tokens);
  assert.throws(() => apply({ paths: '/a' }), { code: 'INVALID_WEBHOOK', message: /'paths'; use one of path$/ });
  assert.throws(() => apply({ path: '/convert' }), /path is "\/convert": use segments/);
  assert.throws(() => apply({}, class Empty {}), /class Empty: the class does not define the method authenticate/);
});

test('a class without decorators, and a subclass of a class with decorators, have no webhooks', () => {
  assert.deepEqual([webhooksOf(Derived), webhooksOf(Spec)], [[], []]);
});

/** Applies `@Validator` with additional options to a class. */
function validator(options: object): void {
  Validator({ for: CronJob, ...options })(
    class Checks {
      validate(): Violation[] {
        return [];
      }
    },
  );
}

const invalid: readonly (readonly [what: string, options: object, message: RegExp])[] = [
  [
    'an unknown option',
    { timeout: 3 },
    /cannot load the webhook of class Checks: unknown option 'timeout'; use one of for, /,
  ],
  ['an option of another decorator', { subresource: 'scale' }, /unknown option 'subresource'; use one of/],
  ['a missing kind', { for: undefined }, /for is undefined: cannot use undefined as a kind; pass a class with @Kind/],
  ['a timeout above 30 s', { timeoutSeconds: 31 }, /timeoutSeconds is 31: use an integer from 1 to 30/],
  ['a timeout of 0 s', { timeoutSeconds: 0 }, /use an integer from 1 to 30/],
  ['a fractional timeout', { timeoutSeconds: 1.5 }, /use an integer from 1 to 30/],
  ['an unknown failure policy', { failurePolicy: 'fail' }, /failurePolicy is "fail": use 'Fail' or 'Ignore'/],
  ['unknown side effects', { sideEffects: 'Some' }, /use 'None' or 'NoneOnDryRun'/],
  ['an unknown match policy', { matchPolicy: 'All' }, /use 'Exact' or 'Equivalent'/],
  ['no operation', { operations: [] }, /operations is \[\]: use a list of 'create', 'update' or 'delete'/],
  ['an operation that does not apply', { operations: ['connect'] }, /use a list of 'create', 'update' or 'delete'/],
  ['a duplicate operation', { operations: ['create', 'create'] }, /use a list of/],
  [
    'a name with two segments',
    { name: 'cronjob.example' },
    /use a domain name in lower case with at least three segments/,
  ],
  ['a name in upper case', { name: 'CronJob.example.com' }, /use a domain name in lower case/],
  ['a path without a slash', { path: 'validate' }, /path is "validate": use segments of letters/],
  ['the path of conversions', { path: '/convert' }, /'\/convert' is the path of conversions/],
  [
    'an invalid selector',
    { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    /"Is" is not a valid/,
  ],
  ['a selector as text', { namespaceSelector: 'tier=web' }, /use an object such as \{ matchLabels/],
  ['a condition without a name', { matchConditions: [{ expression: 'true' }] }, /the name of condition 1 is not valid/],
  ['a condition without an expression', { matchConditions: [{ name: 'a' }] }, /condition 'a' has no expression/],
  [
    'two conditions with the same name',
    {
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'false' },
      ],
    },
    /two conditions have the name 'a'/,
  ],
];
for (const [what, options, message] of invalid) {
  test(`@Validator rejects ${what}`, () => {
    assert.throws(() => validator(options), { code: 'INVALID_WEBHOOK', message });
  });
}

test('webhook decorators reject a class without the required methods', () => {
  class Empty {}
  const apply = (decorator: (target: never) => void) => () => decorator(Empty as never);
  const message = (methods: string) =>
    new RegExp(`class Empty: the class does not define the method ${methods}; add it`);
  assert.throws(apply(Defaulter({ for: CronJob })), { message: message('default') });
  assert.throws(apply(Validator({ for: CronJob })), { message: message('validate') });
  assert.throws(apply(Admission({ for: Pod })), { message: message('mutate or validate') });
  assert.throws(apply(Converter({ from: OldCronJob, hub: CronJob })), { message: message('up') });
});

test('@Converter rejects versions of different kinds or groups, a single version and invalid options', () => {
  const convert =
    (from: unknown, hub: unknown, more: object = {}) =>
    () =>
      Converter({ from, hub, ...more } as never)(CronJobConverter);
  const code = 'INVALID_WEBHOOK';
  const other = dynamicKind('example.com/v1', 'Disk');
  assert.throws(convert(OldCronJob, other), { code, message: /use two versions of the same kind/ });
  assert.throws(convert(OldCronJob, dynamicKind('other.example.com/v1', 'CronJob')), {
    code,
    message: /example\.com\/v1alpha1 CronJob and other\.example\.com\/v1 CronJob: use two versions of the same group/,
  });
  assert.throws(convert(CronJob, CronJob), { code, message: /from and hub are both example\.com\/v1 CronJob/ });
  assert.throws(convert(OldCronJob, undefined), { code, message: /hub is undefined: cannot use undefined as a kind/ });
  assert.throws(convert(OldCronJob, CronJob, { loss: true }), {
    code,
    message: /unknown option 'loss'; use one of from, hub/,
  });
  assert.throws(convert(OldCronJob, CronJob, { lossless: 'no' }), {
    code,
    message: /lossless is "no": use true or false/,
  });
});
