import type { KindRef } from '@kubewright/api';
import { groupOf, kindOf } from '@kubewright/api/metadata';
import type { OperatorDescription } from './operator-description.js';
import type { RbacRule } from './rbac-decorator.js';
import { resourceOf } from './resource-of.js';

/** A kind that is known only by its name, with the resource that was derived from this name. */
export interface GuessedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** The names of the controllers that declare the kind. */
  readonly controllers: readonly string[];
  /** Whether an `@Rbac` rule of a runnable contains the kind. */
  readonly usedByRunnable: boolean;
}

/**
 * Returns the kinds of controllers and of `@Rbac` rules that are declared with `dynamicKind(…)` and whose plural name is not known. The
 * generated permissions assume that the plural name is the English plural of the kind name, and that the kind is namespaced. If the plural
 * is wrong, add an `@Rbac` rule with the groups, the resources and the verbs.
 */
export function guessedResources({ controllers, rules }: OperatorDescription): readonly GuessedResource[] {
  const found = new Map<string, GuessedResource>();
  for (const { name, for: primary, owns, watches, reads, rules: own } of controllers) {
    const declared = [...(primary === undefined ? [] : [primary]), ...owns, ...watches, ...reads];
    for (const { kind } of [...declared, ...kindRules(own)]) add(found, kind, name);
  }
  for (const { kind } of kindRules(rules)) add(found, kind);
  return [...found.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Returns a warning for each guessed resource. The warning contains the fix if the guess is wrong. */
export function guessWarnings(description: OperatorDescription): readonly string[] {
  return guessedResources(description).map(({ apiVersion, kind, plural, controllers, usedByRunnable }) => {
    const groups = `['${groupOf(apiVersion)}']`;
    const users = [...controllers.map((name) => `controller '${name}'`), ...(usedByRunnable ? ['a runnable'] : [])];
    return `the plural of ${kind} (${apiVersion}), which is used by ${users.join(' and ')}, is guessed: the roles are for '${plural}'; if this is not the plural, add @Rbac({ groups: ${groups}, resources: ['…'], verbs: ['get', 'list', 'watch'] })`;
  });
}

function kindRules(rules: readonly RbacRule[]): readonly Extract<RbacRule, { readonly kind: KindRef }>[] {
  return rules.flatMap((rule) => ('kind' in rule ? [rule] : []));
}
/** Adds a kind if its plural is guessed. `controller` is the name of the controller that uses the kind. Undefined for a runnable. */
function add(found: Map<string, GuessedResource>, ref: KindRef, controller?: string): void {
  const { plural, guessed } = resourceOf(ref);
  if (!guessed) return;
  const { apiVersion, kind } = kindOf(ref);
  const known = found.get(keyOf({ apiVersion, kind }));
  const controllers = new Set([...(known?.controllers ?? []), ...(controller === undefined ? [] : [controller])]);
  const usedByRunnable = controller === undefined || known?.usedByRunnable === true;
  found.set(keyOf({ apiVersion, kind }), { apiVersion, kind, plural, controllers: [...controllers], usedByRunnable });
}
function keyOf({ apiVersion, kind }: Pick<GuessedResource, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}
