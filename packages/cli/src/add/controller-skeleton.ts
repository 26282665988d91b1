import { variableOf } from 'create-operator';
import { type Code, printCode } from '../crd-classes/code.js';
import { objectLiteral, Verbatim } from '../crd-classes/literal.js';
import { importLines } from './import-lines.js';

/** The options of a controller skeleton. */
export interface SkeletonOptions {
  readonly className: string;
  /** The class of the kind. `from` is the module specifier in the import of this class: a package, or a path relative to the controller. */
  readonly kindClass: string;
  readonly from: string;
  /** The name of the kind. */
  readonly kind: string;
  /** Further options of `@Controller`, such as `{ reconcileCondition: false }`. @default none */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Decorators below `@Controller`, without the `@`. @default none */
  readonly decorators?: readonly Code[];
  /** Further imports: names by module. @default none */
  readonly imports?: ReadonlyMap<string, readonly string[]>;
  /** Whether the controller has a `finalize` method. @default false */
  readonly finalizes?: boolean;
}

/** Returns the source of a controller that logs each object and does nothing else. */
export function controllerSkeleton(skeleton: SkeletonOptions): string {
  const { className, kindClass, kind, options = {}, decorators = [], finalizes = false } = skeleton;
  const object = variableOf(kind);
  const argument = objectLiteral([['for', new Verbatim(kindClass)], ...Object.entries(options)]);
  const controller = printCode(['@Controller(', argument, ')'], 0);
  const above = decorators.map((each) => `${printCode(['@', each], 0)}\n`).join('');
  const finalize = `

  /** Cleans up before the ${kind} is deleted. Called until the result is done. */
  async finalize(${object}: ${kindClass}, { log }: ReconcileContext): Promise<Result> {
    log.info(\`finalizing \${${object}.metadata.name}\`);
    return Result.done();
  }`;
  return `${importsOf(skeleton)}
${controller}
${above}export class ${className} implements Reconciler<${kindClass}> {
  /** Brings the cluster to the desired state of the ${kind}. Called after each change, regardless of what changed. */
  async reconcile(${object}: ${kindClass}, { log }: ReconcileContext): Promise<Result> {
    log.info(\`reconciling \${${object}.metadata.name}\`);
    return Result.done();
  }${finalizes ? finalize : ''}
}
`;
}

function importsOf({ kindClass, from, imports = new Map() }: SkeletonOptions): string {
  const own = ['Controller', 'type ReconcileContext', 'type Reconciler', 'Result'];
  const all = new Map<string, readonly string[]>(imports);
  all.set('@kubewright/runtime', [...(imports.get('@kubewright/runtime') ?? []), ...own]);
  all.set(from, [...(imports.get(from) ?? []), kindClass]);
  return importLines(all);
}

/** The options of the test for a controller skeleton. */
export interface SkeletonTestOptions extends Pick<SkeletonOptions, 'className' | 'kindClass' | 'from' | 'kind'> {
  /** The module of the controller, without its extension: 'website-controller'. */
  readonly module: string;
  /** An object that a server accepts. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Whether the test must install the kind in the server. */
  readonly isInstalled: boolean;
}

/** Returns the source of the test for a controller skeleton. */
export function controllerSkeletonTest(test: SkeletonTestOptions): string {
  const { className, kindClass, from, kind, module, sample, isInstalled } = test;
  const init = Object.entries(sample).filter(([key]) => key !== 'apiVersion' && key !== 'kind');
  const declaration = printCode(['const sample = new ', `${kindClass}(`, objectLiteral(init), ');'], 0);
  const imports = importLines(
    new Map([
      [from, [kindClass]],
      ['@kubewright/runtime', ['Result']],
      ['@kubewright/testing', ['TestEnvironment']],
      [`./${module}.js`, [className]],
    ]),
  );
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
${imports}
${declaration}

test('${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind} is reconciled', async () => {
  await using env = await TestEnvironment.start({ ${isInstalled ? `kinds: [${kindClass}], ` : ''}objects: [sample] });
  const { result, error } = await env.reconcile(new ${className}(), sample);
  assert.deepEqual([result, error], [Result.done(), undefined]);
});
`;
}
