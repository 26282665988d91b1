import type { KindRef, KubeObject } from '@kubewright/api';
import { type KindInfo, kindOf, kindRefOf, objectSchemaOf, wholeKindOf } from '@kubewright/api/metadata';
import type { SecretRules } from '@kubewright/api/secrets';
import { kindName, kindNameOf } from '../../cache/selection/kind-name.js';
import { type Discovery, resourceIn } from '../../transport/discovery/discovery.js';
import { currentScope } from '../scope/reconcile-scope.js';
import { secretRulesOf } from './secret-rules.js';
import type { Target } from './target.js';

/**
 * The kinds that a client has used. Finds the kind of an object, with its schema, by the apiVersion and the kind name of the object.
 * Built-in kinds are always known. For any other kind that the client has not used, only the name is known.
 */
export class KnownKinds {
  readonly #met = new Map<string, KindRef>();
  /** The targets of kinds whose resource is known without discovery. */
  readonly #targets = new WeakMap<KindRef, Target>();
  readonly #rules = new Map<string, SecretRules | undefined>();
  /** The kinds without secret fields. */
  #withoutSecrets = new WeakSet<KindRef>();
  /** The targets of dynamic kinds. Undefined for a kind that is not built in. */
  readonly #builtIn = new Map<string, Omit<Target, 'kind'> | undefined>();

  constructor(kinds: Iterable<KindRef>) {
    for (const kind of kinds) this.meet(kind);
  }

  /** Adds a kind that the client uses. Ignores a dynamic kind, because it has no schema. */
  meet(kind: KindRef): void {
    if (kindOf(kind).dynamic) return;
    const name = kindName(kind);
    // The new kind can have rules that also apply to a dynamic kind with the same apiVersion and kind name. Such a dynamic kind may be
    // stored as a kind without secrets.
    if (!this.#met.has(name)) this.#withoutSecrets = new WeakSet();
    this.#met.set(name, wholeKindOf(kind));
  }

  /** Returns the kind for the apiVersion and kind of an object. */
  of(object: KubeObject): KindRef {
    const name = kindNameOf(object);
    const { kinds = [], owns = [] } = currentScope() ?? {};
    return this.#met.get(name) ?? [...kinds, ...owns].find((kind) => kindName(kind) === name) ?? kindRefOf(object);
  }

  /** Returns the rules for the secret fields of the kind with this name. Returns undefined if the kind has no known secret fields. */
  secretRulesOf(kind: { readonly apiVersion: string; readonly kind: string }): SecretRules | undefined {
    const id = `${kind.apiVersion}/${kind.kind}`;
    if (id === 'v1/Secret') return { isSecret: true };
    if (!this.#rules.has(id)) {
      const met = [...this.#met.values()].find((one) => `${kindOf(one).apiVersion}/${kindOf(one).kind}` === id);
      if (met === undefined) return undefined;
      this.#rules.set(id, secretRulesOf(met));
    }
    return this.#rules.get(id);
  }

  /** Whether the kind has known secret fields. */
  hasSecrets(kind: KindRef): boolean {
    if (this.#withoutSecrets.has(kind)) return false;
    const hasSecrets = this.secretRulesOf(kindOf(kind)) !== undefined;
    if (!hasSecrets) this.#withoutSecrets.add(kind);
    return hasSecrets;
  }

  /**
   * Returns the API resource and the schema of a kind. Uses discovery for a kind that is neither built in nor declared with its resource
   * name. Returns a promise only if it has to wait.
   */
  targetOf(kind: KindRef, discovery: Discovery): Target | Promise<Target> {
    const known = this.#targets.get(kind);
    if (known !== undefined) return known;
    const { dynamic, builtIn } = kindOf(kind);
    if (dynamic) return this.#dynamicTarget(kind, discovery);
    const info = resourceIn(kind);
    if (info !== undefined) {
      const target = { kind, info, schema: objectSchemaOf(kind), builtIn };
      this.#targets.set(kind, target);
      return target;
    }
    return discovery.resolve(kind).then((found) => ({ kind, info: found, schema: objectSchemaOf(kind), builtIn }));
  }

  async #dynamicTarget(kind: KindRef, discovery: Discovery): Promise<Target> {
    const own = kindOf(kind);
    const id = `${own.apiVersion}/${own.kind}`;
    if (!this.#builtIn.has(id)) this.#builtIn.set(id, await builtInTarget(own));
    const builtIn = this.#builtIn.get(id);
    return builtIn === undefined
      ? { kind, info: await discovery.resolve(kind), schema: undefined, builtIn: false }
      : { kind, ...builtIn };
  }
}

/** Returns the API resource and the schema of a built-in kind, or undefined for any other kind. Imports the schemas when needed. */
async function builtInTarget(own: KindInfo): Promise<Omit<Target, 'kind'> | undefined> {
  const { builtInKind, builtInSchema } = await import('@kubewright/api/built-in');
  const known = builtInKind(own.apiVersion, own.kind);
  if (known?.plural === undefined || known.namespaced === undefined) return undefined;
  const { group, version, apiVersion, kind, plural, namespaced } = known;
  const info = { group, version, apiVersion, kind, plural, namespaced };
  return { info, schema: builtInSchema(apiVersion, kind), builtIn: true };
}
