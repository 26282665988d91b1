import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { kindName, kindNameOf, readName } from '../cache/kind-name.js';
import type { SharedInformer } from '../cache/shared-informer.js';
import { abortable } from '../transport/abortable.js';
import type { CachedClientOptions, DeclaredKind } from './client-backend.js';
import type { ClientContext } from './client-context.js';

/** The informers that a client reads from, opened as they are needed. */
export class OpenInformers {
  readonly #context: ClientContext;
  readonly #declared: readonly DeclaredKind[] | undefined;
  readonly #isController: boolean;
  readonly #open = new Map<string, Promise<SharedInformer<KubeObject>>>();
  /** Those that are open, so that a read of what has synced waits for nothing. */
  readonly #opened = new Map<string, SharedInformer<KubeObject>>();

  /** With `declared`, other kinds are refused. */
  constructor(context: ClientContext, { declared, declaredBy }: Pick<CachedClientOptions, 'declared' | 'declaredBy'>) {
    this.#context = context;
    this.#declared = declared;
    this.#isController = declaredBy !== 'cache';
  }

  /** Whether a kind was declared, and the cache holds its objects whole. */
  async holds(kind: KindRef): Promise<boolean> {
    if (this.#declared !== undefined && this.#declaration(kind) === undefined) return false;
    const { cache } = await this.#context.backend();
    return cache === undefined || !cache.isMetadataOnly(kind);
  }

  /** The informer of a kind, synced. Throws UNDECLARED_KIND and METADATA_ONLY, and the reason of the signal. */
  async of<T extends KubeObject>(kind: KindRef<T>, signal?: AbortSignal): Promise<SharedInformer<T>> {
    signal?.throwIfAborted();
    const name = readName(kind);
    const informer = this.#opened.get(name) ?? (await abortable(this.#open.get(name) ?? this.#acquire(kind), signal));
    this.#opened.set(name, informer);
    const { signals } = this.#context;
    if (!informer.hasSynced) await abortable(informer.synced(), ...signals, signal);
    for (const ending of signals) ending.throwIfAborted();
    return informer as unknown as SharedInformer<T>;
  }

  /** Makes the next reads give the object. */
  async wrote(kind: KindRef, object: KubeObject): Promise<void> {
    // What a subresource answers may be another kind, and may have no version.
    if (kindNameOf(object) !== kindName(kind) || !object.metadata?.resourceVersion) return;
    const { cache } = await this.#context.backend();
    for (const informer of cache?.informersOf(kind) ?? []) informer.wrote(object);
  }

  /** Makes the next reads not give the object, which has that uid where the server told it. */
  async deleted(kind: KindRef, key: ObjectKey, uid: string | undefined): Promise<void> {
    const { cache } = await this.#context.backend();
    for (const informer of cache?.informersOf(kind) ?? []) informer.deleted(key, { uid });
  }

  #declaration(kind: KindRef): DeclaredKind | undefined {
    const name = kindName(kind);
    const { metadataOnly } = kindOf(kind);
    const all = this.#declared?.filter(
      (declared) => kindName(declared.kind) === name && (metadataOnly || !kindOf(declared.kind).metadataOnly),
    );
    return all?.find(({ labels, fields }) => labels === undefined && fields === undefined) ?? all?.[0];
  }

  #acquire(kind: KindRef): Promise<SharedInformer<KubeObject>> {
    const name = readName(kind);
    const declaration = this.#declaration(kind);
    if (this.#declared !== undefined && declaration === undefined) {
      throw undeclared(
        kindName(kind),
        this.#isController && this.#declared.length > 0 ? this.#context.controllerName : undefined,
      );
    }
    const { labels, fields, namespaces } = declaration ?? {};
    const informer = this.#context.backend().then(({ cache }) => {
      if (cache === undefined)
        throw new KubewrightError(
          'NO_CACHE',
          `read ${kindName(kind)} from the cache: this client has none; use 'live'`,
        );
      return cache.acquire<KubeObject>(declaration?.kind ?? kind, {
        ...(labels && { labels }),
        ...(fields && { fields }),
        ...(namespaces && { namespaces }),
        metadataSuffices: kindOf(kind).metadataOnly ?? false,
      });
    });
    informer.catch(() => this.#open.delete(name));
    this.#open.set(name, informer);
    return informer;
  }
}

/** `controller` is undefined where nothing is declared at all. */
function undeclared(name: string, controller: string | undefined): KubewrightError {
  const cure =
    controller === undefined
      ? "this client opens no informers of its own: list it under 'cache.kinds', set 'implicitInformers', or read it with client.live"
      : `the controller '${controller}' does not declare this kind. List it under 'owns' when its objects are children, under ` +
        "'watches' when their changes matter, or under 'reads'; or read it with client.live";
  return new KubewrightError('UNDECLARED_KIND', `read ${name} from the cache: ${cure}`);
}
