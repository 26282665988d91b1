import type { ModuleChanges } from '../built-in/changed-schemas.js';
import { modulePath } from '../built-in/module-path.js';
import { messageLoaders } from '../generated/message-loaders.js';
import { applyMergePatch } from '../patch/apply-merge-patch.js';
import { type MessageDeclarations, MessageSet } from './message-set.js';

/** The protobuf messages of the built-in kinds of another Kubernetes version. Each message is parsed on first use. */
export class ChangedMessages {
  readonly #modules = new Map<string, MessageSet>();

  private constructor(base: ReadonlyMap<string, MessageSet>, changes: ModuleChanges) {
    const find = (path: string): MessageSet | undefined => this.#modules.get(path);
    for (const path of new Set([...base.keys(), ...Object.keys(changes)])) {
      const messages = base.get(path) ?? new MessageSet({ path, uses: {}, text: '{}' });
      const change = (declared: MessageDeclarations): MessageDeclarations =>
        applyMergePatch(declared, changes[path] ?? {}) as MessageDeclarations;
      this.#modules.set(path, messages.changedBy(change, find));
    }
  }

  /**
   * Imports the messages of all built-in group-versions.
   * @param changes for each module path, such as `core/v1`, a merge patch of its messages; a new path creates a module
   */
  static async load(changes: ModuleChanges): Promise<ChangedMessages> {
    const loaders = Object.entries(messageLoaders);
    const base = loaders.map(async ([apiVersion, load]) => [modulePath(apiVersion), (await load()).messages] as const);
    return new ChangedMessages(new Map(await Promise.all(base)), changes);
  }

  /** Returns the messages of a built-in group-version, or undefined. */
  find(apiVersion: string): MessageSet | undefined {
    return this.#modules.get(modulePath(apiVersion));
  }
}
