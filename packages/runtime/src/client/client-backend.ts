import type { Clock } from '@kubewright/api/clock';
import type { KindRef } from '@kubewright/api';
import type { InformerCache } from '../cache/informer-cache.js';
import type { ServedKinds } from '../cache/served-kinds.js';
import type { Logger } from '../log/logger.js';
import type { Discovery } from '../transport/discovery.js';
import type { Transport } from '../transport/transport.js';
import type { WriteFence } from '../transport/write-fence.js';
import type { ClientSettings } from './client-settings.js';
import type { Write } from './write.js';

/** What a client reads from and writes to. */
export interface ClientBackend {
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** Without it every read is live. */
  readonly cache?: InformerCache | undefined;
  /** Whether optional kinds are served. @default no kind is optional */
  readonly served?: ServedKinds | undefined;
  /** The namespaces that live lists of "all" are limited to. @default all */
  readonly namespaces?: readonly string[] | undefined;
}

/** A kind that may be read from the cache, with the selector of its informer: the same as passed to `InformerCache.acquire`. */
export interface DeclaredKind {
  readonly kind: KindRef;
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly fields?: Readonly<Record<string, string>> | string;
  readonly namespaces?: readonly string[] | undefined;
  /** Whether the API server may not serve the kind; reads then fail instead of waiting for the kind. @default false */
  readonly optional?: boolean | undefined;
  /** Whether a declaration selects single objects by their keys, so that other objects are read live. @default false */
  readonly byKeys?: boolean;
}

export interface CachedClientOptions {
  /** A function is called at the first use, for a manager that connects when it starts. */
  readonly backend: ClientBackend | (() => ClientBackend | Promise<ClientBackend>);
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of its writes in managed fields, where no reconcile is running. */
  readonly fieldManager: string;
  /** Value of the owner label. @default the field manager */
  readonly controllerName?: string;
  /** The kinds that may be read from the cache. @default every kind; informers are opened as they are needed */
  readonly declared?: readonly DeclaredKind[];
  /** Where kinds are declared, for the message about one that is not. @default 'controller' */
  readonly declaredBy?: 'controller' | 'cache';
  /** The kinds in which `applyOwned` looks for children to prune. @default none */
  readonly owns?: readonly KindRef[];
  /** Other kinds that will be worked with, for their schemas. */
  readonly kinds?: readonly KindRef[];
  /** Where `get`, `find`, `list` and `listOwned` look. @default 'cached' */
  readonly reads?: ClientSettings['reads'];
  /** Each write passes this fence besides that of the calling work. @default none */
  readonly fence?: WriteFence | undefined;
  /** Called after each write that the server accepted. */
  readonly onWrite?: (write: Write) => void;
}
