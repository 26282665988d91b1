import type { KindRef } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { kindOf } from '@kubewright/api/metadata';
import type { KindFollower, ServedKinds } from '../../cache/served/served-kinds.js';
import type { Logger } from '../../log/logger.js';
import { type OpenDeclaration, OptionalUse } from './optional-use.js';

export interface OptionalKindsOptions {
  readonly served: Pick<ServedKinds, 'follow'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Called after a declaration was opened or closed because the API server started or stopped serving its kind. `reason` describes this
   * change.
   */
  readonly onChange: (reason: string) => void;
}

/**
 * Opens the declarations of an optional kind when the API server starts to serve the kind. A declaration is a watch or a read. Closes the
 * declarations when the API server stops serving the kind.
 */
export class OptionalKinds {
  readonly #options: OptionalKindsOptions;
  readonly #uses = new Set<OptionalUse>();

  constructor(options: OptionalKindsOptions) {
    this.#options = options;
  }

  /**
   * Adds a declaration. While the API server serves the kind, the declaration is open. Disposing of the result removes the declaration.
   * Resolves when the declaration is open, or when the API server has reported that it does not serve the kind. Rejects with the error of
   * `open`, or with the error of the first request that checks whether the kind is served.
   */
  async add(kind: KindRef, open: OpenDeclaration): Promise<AsyncDisposable> {
    const { served, clock, logger, onChange } = this.#options;
    const { kind: name, apiVersion } = kindOf(kind);
    const use: OptionalUse = new OptionalUse({
      name,
      clock,
      logger,
      open,
      onChange: (isOpen) => onChange(`${name} of ${apiVersion} is ${isOpen ? 'served' : 'no longer served'}`),
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

  /** Removes and closes all declarations. */
  async close(): Promise<void> {
    const uses = [...this.#uses];
    this.#uses.clear();
    await Promise.all(uses.map((use) => use.close()));
  }
}
