import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../cache/abortable.js';
import type { SharedInformer } from '../cache/shared-informer.js';
import type { DeclaredKind } from './client-backend.js';
import type { ClientContext } from './client-context.js';
import { kindName } from './target.js';

/** The informers that a client reads from, opened as they are needed. */
export class OpenInformers {
  readonly #context: ClientContext;
  readonly #declared: readonly DeclaredKind[] | undefined;
  readonly #open = new Map<string, Promise<SharedInformer<KubeObject>>>();

  /** With `declared`, other kinds are refused. */
  constructor(context: ClientContext, declared: readonly DeclaredKind[] | undefined) {
    this.#context = context;
    this.#declared = declared;
  }

  isDeclared(kind: KindRef): boolean {
    return this.#declared === undefined || this.#declaration(kind) !== undefined;
  }

  /** The informer of a kind, synced. Throws UNDECLARED_KIND. */
  async of<T extends KubeObject>(kind: KindRef<T>): Promise<SharedInformer<T>> {
    const name = kindName(kind);
    const open = this.#open.get(name) ?? this.#acquire(name, kind);
    const informer = (await open) as unknown as SharedInformer<T>;
    await abortable(informer.synced(), this.#context.signal);
    return informer;
  }

  /** Makes the next reads give the object. */
  async wrote(kind: KindRef, object: KubeObject): Promise<void> {
    const { cache } = await this.#context.backend();
    for (const informer of cache?.informersOf(kind) ?? []) informer.wrote(object);
  }

  /** Makes the next reads not give the object. */
  async deleted(kind: KindRef, key: ObjectKey): Promise<void> {
    const { cache } = await this.#context.backend();
    for (const informer of cache?.informersOf(kind) ?? []) informer.deleted(key);
  }

  #declaration(kind: KindRef): DeclaredKind | undefined {
    const name = kindName(kind);
    const all = this.#declared?.filter((declared) => kindName(declared.kind) === name) ?? [];
    return all.find((declared) => declared.labels === undefined) ?? all[0];
  }

  #acquire(name: string, kind: KindRef): Promise<SharedInformer<KubeObject>> {
    const declaration = this.#declaration(kind);
    if (this.#declared !== undefined && declaration === undefined) {
      throw undeclared(name, this.#declared.length === 0 ? undefined : this.#context.controllerName);
    }
    const { labels, namespaces } = declaration ?? {};
    const informer = this.#context.backend().then(({ cache }) => {
      if (cache === undefined)
        throw new KubewrightError('NO_CACHE', `read ${name} from the cache: this client has none; use 'live'`);
      return cache.acquire<KubeObject>(kind, { ...(labels && { labels }), ...(namespaces && { namespaces }) });
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
      ? "this client opens no informers of its own: set 'implicitInformers', or read it with client.live"
      : `the controller '${controller}' does not declare this kind. List it under 'owns' when its objects are children, under ` +
        "'watches' when their changes matter, or under 'reads'; or read it with client.live";
  return new KubewrightError('UNDECLARED_KIND', `read ${name} from the cache: ${cure}`);
}
