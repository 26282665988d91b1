import type { AdmissionRequest, Defaulter, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type AdmissionRecord, webhooksOf } from '@kubewright/api/metadata';
import { applyJsonPatch, type JsonPatchOperation } from '@kubewright/api/patch';
import type { Constructor } from '@kubewright/runtime';
import { mutate } from '@kubewright/runtime/internal';
import { type GeneratedObjectsOptions, generatedObjects } from './objects-of-schema.js';

/** The result of `testDefaulter`. */
export interface DefaulterReport {
  /** The number of checked objects. */
  readonly objects: number;
  /** The number of objects that the defaulter changed. */
  readonly changed: number;
}

/**
 * Checks with generated objects that a defaulter is idempotent: a second call does not change an object. The API server can call a
 * defaulter several times for one request.
 *
 * Pass a class with `@Defaulter`, or an instance if the constructor has parameters. Rejects with DEFAULTER_NOT_IDEMPOTENT if a second call
 * changes an object; the error contains the first such object. Also rejects with the error of the defaulter, with CANNOT_GENERATE, and with
 * NOT_A_COMPONENT if the class has no `@Defaulter`.
 *
 * @example
 * test('the defaults of cron jobs are idempotent', () => testDefaulter(CronJobDefaulter));
 */
export async function testDefaulter(
  defaulter: Constructor<Defaulter<never>> | Defaulter<never>,
  options: GeneratedObjectsOptions = {},
): Promise<DefaulterReport> {
  const target = typeof defaulter === 'function' ? defaulter : (defaulter.constructor as Constructor);
  const records = webhooksOf(target as never).filter((each): each is AdmissionRecord => each.type === 'defaulter');
  if (records.length === 0) {
    throw new KubewrightError('NOT_A_COMPONENT', `cannot test ${target.name}: it has no @Defaulter({ for: … })`);
  }
  const made = (typeof defaulter === 'function' ? new defaulter() : defaulter) as unknown as Defaulter<KubeObject>;
  let [objects, changed] = [0, 0];
  for (const { options: declared } of records) {
    for (const object of generatedObjects(declared.for, options)) {
      objects++;
      if (await check(made, object, target.name)) changed++;
    }
  }
  return { objects, changed };
}

/** Checks one object. Returns whether the defaulter changed the object. */
async function check(defaulter: Defaulter<KubeObject>, object: KubeObject, name: string): Promise<boolean> {
  const first = await changes(defaulter, object);
  const defaulted = applyJsonPatch(object, first) as KubeObject;
  const second = await changes(defaulter, defaulted);
  if (second.length === 0) return first.length > 0;
  throw new KubewrightError(
    'DEFAULTER_NOT_IDEMPOTENT',
    `${name} is not idempotent: a second call changes ${second.map(({ path }) => path).join(', ')}; only set fields that are not set yet; the object is ${JSON.stringify(object)}`,
  );
}
async function changes(defaulter: Defaulter<KubeObject>, object: KubeObject): Promise<readonly JsonPatchOperation[]> {
  const { patch = [] } = await mutate('defaulter', [defaulter], requestFor(object));
  return patch;
}
function requestFor(object: KubeObject): AdmissionRequest<KubeObject> {
  const { name, namespace } = object.metadata;
  return {
    uid: 'test',
    user: { name: 'kubewright-test', uid: undefined, groups: [], extra: {} },
    operation: 'create',
    dryRun: false,
    name,
    namespace,
    subresource: undefined,
    options: undefined,
    object,
    old: undefined,
    signal: new AbortController().signal,
    warn: () => undefined,
  };
}
