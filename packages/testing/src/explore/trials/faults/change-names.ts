import type { ApiServer } from '@kubewright/apiserver';
import { changedFields, type StoreEvent } from '@kubewright/apiserver/internal';
import { stableName } from '../../../trace/stable-name.js';

/**
 * Names the changes that an operator receives, such as 'MODIFIED Pod/default/web status.phase #2': the type, the object, the changed fields
 * and the number of the change among the received changes with the same name. The names do not depend on uids and versions.
 */
export class ChangeNames {
  readonly #events = new Map<string, StoreEvent>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #update: () => void = () => undefined;

  /** Names the later changes of a server. */
  follow({ store }: ApiServer): void {
    let seen = store.resourceVersion;
    this.#update = () => {
      for (const event of store.writesAfter(seen)) this.#events.set(String(event.version), event);
      seen = store.resourceVersion;
    };
  }

  /** Returns the name of the change with this resourceVersion. Returns undefined for a change before `follow`. */
  at(version: string): string | undefined {
    const known = this.#names.get(version);
    if (known !== undefined) return known;
    this.#update();
    const event = this.#events.get(version);
    if (event === undefined) return undefined;
    const text = textOf(event);
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    const name = `${text} #${count}`;
    this.#names.set(version, name);
    return name;
  }

  /** The names of the received changes, in the order in which `at` first returned them. */
  get all(): readonly string[] {
    return [...this.#names.values()];
  }
}

function textOf({ type, object, old }: StoreEvent): string {
  const { namespace } = object.metadata;
  const path = [object.kind, namespace, stableName(object)].filter((part) => part !== undefined).join('/');
  const fields = type === 'MODIFIED' && old !== undefined ? changedFields(object, old) : [];
  return `${type} ${path}${fields.length === 0 ? '' : ` ${fields.join(',')}`}`;
}
