import { isControlledBy, isReady, type KindRef, type KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindName, kindNameOf } from '../../cache/selection/kind-name.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { ClientContext } from '../requests/client-context.js';
import type { ApplyOptions, ApplyOwnedOptions, DeleteOptions } from '../options/client-options.js';
import { OWNER_LABEL, SET_ANNOTATION } from './owner-label.js';
import { appliedSets } from '../scope/reconcile-scope.js';
import { describe } from '../requests/target.js';

export interface OwnedSetsOptions {
  readonly context: ClientContext;
  readonly apply: (child: KubeObject, options: ApplyOptions & { readonly set: string }) => Promise<KubeObject>;
  readonly listOwned: (owner: KubeObject, kind: KindRef) => Promise<readonly KubeObject[]>;
  readonly remove: (child: KubeObject, options: DeleteOptions) => Promise<void>;
}

/** Applies all children of a set, and then deletes the children that are no longer in the set. */
export class OwnedSets {
  readonly #options: OwnedSetsOptions;
  constructor(options: OwnedSetsOptions) {
    this.#options = options;
  }

  /**
   * Applies the children in the order of the list, and then prunes the set. With `inOrder`, does not apply the children after the first
   * child that is not ready. Prunes only if all children were applied. Rejects with DUPLICATE_CHILD, UNDECLARED_KIND, DUPLICATE_APPLY, and
   * the errors of `apply`.
   */
  async apply(
    owner: KubeObject,
    children: readonly KubeObject[],
    options: ApplyOwnedOptions,
  ): Promise<(KubeObject | undefined)[]> {
    const set = options.set ?? 'default';
    this.#check(owner, children, set);
    const applied: (KubeObject | undefined)[] = [];
    const { inOrder = false } = options;
    const mayContinue = typeof inOrder === 'function' ? inOrder : (child: KubeObject) => !inOrder || isReady(child);
    let open = true;
    for (const child of children) {
      if (!open) {
        applied.push(undefined);
        continue;
      }
      const made = await this.#options.apply(child, { owner, adopt: options.adopt ?? false, set });
      applied.push(made);
      open = mayContinue(made);
    }
    if (!applied.includes(undefined)) await this.#prune(owner, applied as KubeObject[], { ...options, set });
    return applied;
  }

  #check(owner: KubeObject, children: readonly KubeObject[], set: string): void {
    const what = `cannot apply the children of ${describe(owner.kind, owner.metadata)}`;
    const seen = new Set<string>();
    for (const child of children) {
      const { name: childName, namespace = owner.metadata.namespace } = child.metadata;
      const name = `${kindNameOf(child)} ${formatKey({ name: childName, namespace })}`;
      if (seen.has(name)) throw new KubewrightError('DUPLICATE_CHILD', `${what}: ${name} is listed twice`);
      seen.add(name);
    }
    this.#checkKinds(what, children);
    const applied = appliedSets();
    const key = `${owner.metadata.uid}/${set}`;
    if (applied?.has(key)) {
      throw new KubewrightError(
        'DUPLICATE_APPLY',
        `${what}: this reconcile already called applyOwned for this owner and set, and each call deletes children that are not in its list; pass all children in one call, ` +
          `or give the second call its own 'set'`,
      );
    }
    applied?.add(key);
  }

  /** Throws UNDECLARED_KIND for a child of an undeclared kind, because the controller could neither watch nor prune the child. */
  #checkKinds(what: string, children: readonly KubeObject[]): void {
    const { owns, controllerName } = this.#options.context;
    if (owns === undefined) return;
    const declared = new Set(owns.map(kindName));
    for (const child of children) {
      const name = kindNameOf(child);
      if (declared.has(name)) continue;
      throw new KubewrightError(
        'UNDECLARED_KIND',
        `${what}: controller '${controllerName}' does not declare ${name}; list it under 'owns'`,
      );
    }
  }

  async #kindsOf(children: readonly KubeObject[]): Promise<readonly KindRef[]> {
    const { context } = this.#options;
    return Promise.all(children.map(async (child) => (await context.targetOfObject(child)).kind));
  }

  async #prune(
    owner: KubeObject,
    desired: readonly KubeObject[],
    options: ApplyOwnedOptions & { readonly set: string },
  ): Promise<void> {
    const { context, listOwned, remove } = this.#options;
    const kinds = new Map((context.owns ?? (await this.#kindsOf(desired))).map((kind) => [kindName(kind), kind]));
    const keep = new Set(desired.map((child) => child.metadata.uid));
    for (const kind of kinds.values()) {
      if (await context.isDormant(kind)) continue;
      for (const child of await listOwned(owner, kind)) {
        if (keep.has(child.metadata.uid) || child.metadata.deletionTimestamp !== undefined) continue;
        if (!isOfSet(child, owner, { set: options.set, controller: context.controllerName })) continue;
        await remove(child, { propagation: 'Background' });
        options.onPruned?.(child);
      }
    }
  }
}

function isOfSet(
  { metadata, ...rest }: KubeObject,
  owner: KubeObject,
  { set, controller }: { readonly set: string; readonly controller: string },
): boolean {
  return (
    metadata.labels?.[OWNER_LABEL] === controller &&
    metadata.annotations?.[SET_ANNOTATION] === set &&
    isControlledBy({ ...rest, metadata }, owner)
  );
}
