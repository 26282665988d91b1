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
  /** Called with the reason, as a sentence, after the declarations of a kind were opened or closed, except for the first time. */
  readonly onChange: (reason: string) => void;
}

/** Keeps a controller's declarations of an optional kind open while the API server serves the kind, and closed otherwise. */
export class OptionalKinds {
  readonly #options: OptionalKindsOptions;
  readonly #uses = new Set<OptionalUse>();

  constructor(options: OptionalKindsOptions) {
    this.#options = options;
  }

  /**
   * Opens a declaration whenever the API server serves the kind, until the result is disposed of. Resolves when the API server has answered
   * for the first time and the declaration is open or closed accordingly. Rejects with the error of the request or of the open call.
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

  /** Closes all declarations. */
  async close(): Promise<void> {
    const uses = [...this.#uses];
    this.#uses.clear();
    await Promise.all(uses.map((use) => use.close()));
  }
}
