import { KubewrightError } from '../errors/kubewright-error.js';
import type { KindInfo } from '../metadata/kind-info.js';
import { kindSourceOf } from '../metadata/kind-source.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';

/**
 * Returns the names of a kind.
 * @throws KubewrightError MISSING_KIND for a class that extends `CustomResource(…)` and has no `@Kind`, NOT_A_KIND for any other value that
 * is not a kind
 */
export function kindOf(ref: KindRef): KindInfo {
  if (typeof ref !== 'function') {
    throw new KubewrightError(
      'NOT_A_KIND',
      `cannot use ${ref === undefined ? 'undefined' : `a value of type ${typeof ref}`} as a kind; pass a class with @Kind, a built-in kind such as Deployment, defineKind(…) or dynamicKind(…)`,
    );
  }
  const info = kindSourceOf(ref)?.info ?? metadataOf(ref).kind?.info;
  if (info !== undefined) return info;
  const name = ref.name === '' ? 'an unnamed class' : `class ${ref.name}`;
  if (metadataOf(ref).resource === undefined) {
    throw new KubewrightError(
      'NOT_A_KIND',
      `cannot use ${name} as a kind; write class ${ref.name || 'Name'} extends CustomResource(Spec, Status), with @Kind`,
    );
  }
  throw new KubewrightError(
    'MISSING_KIND',
    `cannot use ${name} as a kind: it has no @Kind decorator; add @Kind({ group: 'example.com', version: 'v1' })`,
  );
}
