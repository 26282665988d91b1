import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { kindOf } from '@kubewright/api/metadata';
import type { KindFollower, ServedKinds } from '../cache/served-kinds.js';
import type { Logger } from '../log/logger.js';
import { OptionalUse } from './optional-use.js';
import type { WatchedObjects } from './watched-objects.js';

/** Opens what is declared of an optional kind. Does not wait for the first list. */
export type OpenDeclaration = () => Promise<OpenedDeclaration>;
/** What is declared of an optional kind, while the API server serves the kind. */
export interface OpenedDeclaration {
  readonly objects: WatchedObjects<KubeObject>;
  close(): Promise<void>;
}

export interface OptionalKindsOptions {
  readonly served: Pick<ServedKinds, 'follow'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after what is declared of a kind was opened or closed, with the reason as a sentence; not for the first time. */
  readonly onChange: (reason: string) => void;
}

/** What a controller declares of optional kinds: open while the API server serves the kind, closed while the API server does not. */
export class OptionalKinds {
  readonly #options: OptionalKindsOptions;
  readonly #uses = new Set<OptionalUse>();

  constructor(options: OptionalKindsOptions) {
    this.#options = options;
  }

  /**
   * Opens what is declared whenever the API server serves the kind, until it is disposed of. Resolves when the API server has said
   * whether it does, and what is declared is open or not accordingly. Rejects with what kept the API server from answering.
   */
  async add(kind: KindRef, open: OpenDeclaration): Promise<AsyncDisposable> {
    const { served, clock, logger, onChange } = this.#options;
    const { kind: name, apiVersion } = kindOf(kind);
    const use: OptionalUse = new OptionalUse({
      name,
      clock,
      logger,
      open,
      onChange: (isOpen) => onChange(`${name} of ${apiVersion} is ${isOpen ? 'served' : 'not served any more'}`),
    });
    const follower: KindFollower = await served.follow(kind, () => use.settle());
    this.#uses.add(use);
    const close = async (): Promise<void> => {
      this.#uses.delete(use);
      await use.close();
    };
    try {
      await use.begin(follower);
    } catch (error) {
      await close();
      throw error;
    }
    return { [Symbol.asyncDispose]: close };
  }

  /** Closes everything. */
  async close(): Promise<void> {
    const uses = [...this.#uses];
    this.#uses.clear();
    await Promise.all(uses.map((use) => use.close()));
  }
}
