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
  /** The cache for reads. If undefined, every read is live. */
  readonly cache?: InformerCache | undefined;
  /** Tracks whether the API server serves the optional kinds. @default no kind is optional */
  readonly served?: ServedKinds | undefined;
  /** The namespaces that a live list reads if the call specifies no namespace. @default all */
  readonly namespaces?: readonly string[] | undefined;
}

/** A kind that the client may read from the cache, with the options of its informer. See `InformerCache.acquire`. */
export interface DeclaredKind {
  readonly kind: KindRef;
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly fields?: Readonly<Record<string, string>> | string;
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Whether the kind is optional. If the API server does not serve the kind, a read of an optional kind fails immediately, and a read of
   * any other kind waits. @default false
   */
  readonly optional?: boolean | undefined;
  /**
   * Whether the informer contains only single objects that are selected by their keys. The client reads other objects of the kind from the
   * API server. @default false
   */
  readonly byKeys?: boolean;
}

export interface CachedClientOptions {
  /**
   * The backend, or a function that returns the backend. The client calls the function at the first use, because a manager connects only
   * when it starts.
   */
  readonly backend: ClientBackend | (() => ClientBackend | Promise<ClientBackend>);
  readonly clock: Clock;
  readonly logger: Logger;
  /** The field manager of writes outside of a reconcile. */
  readonly fieldManager: string;
  /** The value of the owner label. @default the field manager */
  readonly controllerName?: string;
  /** The kinds that the client may read from the cache. @default every kind; the client opens informers on demand */
  readonly declared?: readonly DeclaredKind[];
  /** The options that the error for an undeclared kind recommends: options of the controller or of the cache. @default 'controller' */
  readonly declaredBy?: 'controller' | 'cache';
  /** The kinds from which `applyOwned` prunes children. @default none */
  readonly owns?: readonly KindRef[];
  /** Additional kinds that the client knows. The client uses their schemas to compare and patch objects. */
  readonly kinds?: readonly KindRef[];
  /** The source of `get`, `find`, `list` and `listOwned`. @default 'cached' */
  readonly reads?: ClientSettings['reads'];
  /** Checks before each write whether the client may still write, in addition to the fence of the current reconcile. @default none */
  readonly fence?: WriteFence | undefined;
  /** Called after each write that the server accepted. */
  readonly onWrite?: (write: Write) => void;
}
