import { variableOf } from 'create-operator';
import { printCode } from '../crd-classes/code.js';
import { objectLiteral } from '../crd-classes/literal.js';
import { importLines } from './import-lines.js';

/** The options of a skeleton for a defaulter or a validator. */
export interface WebhookSkeletonOptions {
  readonly className: string;
  /** The class of the kind. `from` is the module specifier in the import of this class: a package, or a relative path. */
  readonly kindClass: string;
  readonly from: string;
  /** The name of the kind. */
  readonly kind: string;
}

/** Returns the source of a defaulter that changes nothing. */
export function defaulterSkeleton({ className, kindClass, from, kind }: WebhookSkeletonOptions): string {
  const object = variableOf(kind);
  return `${importLines(new Map([...fromApi('Defaulter', 'type Draft'), [from, [kindClass]]]))}
@Defaulter({ for: ${kindClass} })
export class ${className} implements Defaulter<${kindClass}> {
  /**
   * Sets defaults that the schema cannot express. Called when a ${kind} is created or updated, before the object is
   * validated. A second call must not change the object again.
   */
  default(${object}: Draft<${kindClass}>): void {
    // Example: ${object}.metadata.labels = { team: 'none', ...${object}.metadata.labels };
  }
}
`;
}

/** Returns the source of a validator that admits every object. */
export function validatorSkeleton({ className, kindClass, from, kind }: WebhookSkeletonOptions): string {
  const object = variableOf(kind);
  return `${importLines(new Map([...fromApi('Validator', 'type Violation'), [from, [kindClass]]]))}
@Validator({ for: ${kindClass} })
export class ${className} implements Validator<${kindClass}> {
  /**
   * Returns an error for each invalid field, for rules that the schema and CEL cannot express. Called when a ${kind} is
   * created or updated; \`old\` is the stored object on update. An empty list admits the object.
   */
  validate(${object}: ${kindClass}, old: ${kindClass} | undefined): readonly Violation[] {
    const violations: Violation[] = [];
    // Example: if (old !== undefined && ${object}.metadata.labels?.['team'] !== old.metadata.labels?.['team'])
    //   violations.push({ field: 'metadata.labels[team]', message: 'must not change' });
    return violations;
  }
}
`;
}

/** The options of the test for a skeleton. */
export interface WebhookTestOptions extends WebhookSkeletonOptions {
  /** The module of the webhook, without its extension: 'website-validator'. */
  readonly module: string;
  /** An object that a server accepts. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** Returns the source of a test that verifies that a second call of a defaulter changes nothing. */
export function defaulterSkeletonTest(test: WebhookTestOptions): string {
  const { className, kind, kindClass } = test;
  return `${testStart(test, ['type Draft'])}
test('${className} does not change a ${kind} that already has the defaults', async () => {
  const defaulter = new ${className}();
  const once = structuredClone(sample) as Draft<${kindClass}>;
  await defaulter.default(once);
  const twice = structuredClone(once);
  await defaulter.default(twice);
  assert.deepEqual(twice, once);
});
`;
}

/** Returns the source of a test that verifies that a validator admits a valid object. */
export function validatorSkeletonTest(test: WebhookTestOptions): string {
  const { className, kind } = test;
  return `${testStart(test, [])}
test('${className} admits a valid ${kind}', async () => {
  assert.deepEqual(await new ${className}().validate(sample, undefined), []);
});
`;
}

/** Returns the imports of a test, and the declaration of its sample. */
function testStart(
  { className, kindClass, from, module, sample }: WebhookTestOptions,
  names: readonly string[],
): string {
  const init = Object.entries(sample).filter(([key]) => key !== 'apiVersion' && key !== 'kind');
  const declaration = printCode(['const sample = new ', `${kindClass}(`, objectLiteral(init), ');'], 0);
  const own = new Map([[`./${module}.js`, [className]]]);
  const imports = importLines(new Map([...(names.length > 0 ? fromApi(...names) : []), [from, [kindClass]], ...own]));
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
${imports}
${declaration}
`;
}

function fromApi(...names: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  return [['@kubewright/api', names]];
}
