import type { Clock } from '@kubewright/api/clock';
import type { KindRef } from '@kubewright/api';
import type { InformerCache } from '../../cache/informer-cache.js';
import type { ServedKinds } from '../../cache/served/served-kinds.js';
import type { Logger } from '../../log/logger.js';
import type { Discovery } from '../../transport/discovery/discovery.js';
import type { Transport } from '../../transport/sending/transport.js';
import type { WriteFence } from '../../transport/request/write-fence.js';
import type { ClientSettings } from '../options/client-settings.js';
import type { Write } from '../scope/write.js';

/** The connection and the cache of a client. */
export interface ClientBackend {
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** If undefined, every read is live. */
  readonly cache?: InformerCache | undefined;
  /** Whether optional kinds are served. @default no kind is optional */
  readonly served?: ServedKinds | undefined;
  /** The namespaces of live lists that name no namespace. @default all */
  readonly namespaces?: readonly string[] | undefined;
}

/** A kind that the client may read from the cache, with the selector of its informer, as for `InformerCache.acquire`. */
export interface DeclaredKind {
  readonly kind: KindRef;
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly fields?: Readonly<Record<string, string>> | string;
  readonly namespaces?: readonly string[] | undefined;
  /** Whether the kind is optional: reads fail if the API server does not serve the kind, instead of waiting for the kind. @default false */
  readonly optional?: boolean | undefined;
  /** Whether a declaration selects single objects by their keys, so that other objects are read live. @default false */
  readonly byKeys?: boolean;
}

export interface CachedClientOptions {
  /** The backend, or a function that returns it and is called at the first use. A manager connects only when it starts. */
  readonly backend: ClientBackend | (() => ClientBackend | Promise<ClientBackend>);
  readonly clock: Clock;
  readonly logger: Logger;
  /** The field manager of writes outside of a reconcile. */
  readonly fieldManager: string;
  /** Value of the owner label. @default the field manager */
  readonly controllerName?: string;
  /** The kinds that the client may read from the cache. @default every kind; the client opens informers on demand */
  readonly declared?: readonly DeclaredKind[];
  /** The declaring option to name in the error message for an undeclared kind. @default 'controller' */
  readonly declaredBy?: 'controller' | 'cache';
  /** The kinds in which `applyOwned` looks for children to prune. @default none */
  readonly owns?: readonly KindRef[];
  /** Additional kinds whose schemas the client uses. */
  readonly kinds?: readonly KindRef[];
  /** The source of `get`, `find`, `list` and `listOwned`. @default 'cached' */
  readonly reads?: ClientSettings['reads'];
  /** A fence that checks each write, in addition to the fence of the calling reconcile. @default none */
  readonly fence?: WriteFence | undefined;
  /** Called after each write that the server accepted. */
  readonly onWrite?: (write: Write) => void;
}
