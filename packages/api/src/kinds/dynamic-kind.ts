import { KubewrightError } from '../errors/kubewright-error.js';
import type { KindInfo } from '../metadata/kind-info.js';
import type { KubeObject, MetaInit } from '../objects/kube-object.js';
import type { KindClass } from './kind-class.js';
import { isKindName } from './kind-names.js';
import { plainKind } from './plain-kind.js';

/**
 * Returns a kind for an API version and a kind name. Discovery resolves the other names at start. The compiler cannot check that `T` is the
 * type of the objects.
 * @throws KubewrightError INVALID_KIND if the API version or the kind name is not valid
 */
export function dynamicKind<T extends KubeObject = KubeObject & Readonly<Record<string, unknown>>>(
  apiVersion: string,
  kind: string,
): KindClass<T, Omit<T, 'apiVersion' | 'kind' | 'metadata'> & { readonly metadata: MetaInit }> {
  const [first, second, ...more] = apiVersion.split('/');
  if (first === undefined || first === '' || second === '' || more.length > 0 || !isKindName(kind)) {
    throw new KubewrightError(
      'INVALID_KIND',
      `cannot create dynamicKind('${apiVersion}', '${kind}'): pass apiVersion and kind as in a manifest, such as 'example.com/v1' and 'Website'`,
    );
  }
  const info: KindInfo = Object.freeze({
    group: second === undefined ? '' : first,
    version: second ?? first,
    apiVersion,
    kind,
    shortNames: [],
    categories: [],
    hasStatus: false,
    dynamic: true,
    builtIn: false,
  });
  return plainKind({ info });
}
