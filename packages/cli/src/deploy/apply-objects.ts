import type { KubeObject } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import type { FieldChange } from '@kubewright/runtime';
import type { Output } from '../command/output.js';
import { shownDifference } from '../command/shown-value.js';
import { type AppliedObject, type ApplyOptions, describeObject, type KubeApi } from './kube-api.js';

/**
 * The kinds that are applied last, because the API server calls the webhooks of the operator, and enforces its policies, as soon as these
 * objects exist.
 */
const LAST = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];
/** The kinds that are applied first, in this order, because other objects depend on them. All other kinds follow. */
const RANKS: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
];
const SHOWN_CHANGES = 8;

/** Sorts objects into the order in which they are applied. Does not change the order of objects with equal rank. */
export function inInstallOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function rankOf({ kind }: KubeObject): number {
  if (LAST.includes(kind)) return RANKS.length + 1;
  const rank = RANKS.findIndex((kinds) => kinds.includes(kind));
  return rank === -1 ? RANKS.length : rank;
}

/** The objects of a deployment in three steps: the objects of `rest` may depend on kinds that are defined in `first`. */
export interface DeploymentSteps {
  /** The objects up to the last CustomResourceDefinition. */
  readonly first: readonly KubeObject[];
  /** The names of the CustomResourceDefinitions in `first`. */
  readonly definitions: readonly string[];
  /** The objects that are neither in `first` nor in `admission`. */
  readonly rest: readonly KubeObject[];
  /** The webhook configurations, which call the operator, and the admission policies. */
  readonly admission: readonly KubeObject[];
}

/**
 * Divides objects in install order into three steps. The first step ends with the last CustomResourceDefinition. The last step contains the
 * webhook configurations and the admission policies. Without definitions, `first` is empty.
 */
export function inSteps(objects: readonly KubeObject[]): DeploymentSteps {
  const isDefinition = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition';
  const end = objects.findLastIndex(isDefinition) + 1;
  const definitions = objects.filter(isDefinition).map(({ metadata }) => metadata.name);
  const others = objects.slice(end);
  const isLast = ({ kind }: KubeObject): boolean => LAST.includes(kind);
  return {
    first: objects.slice(0, end),
    definitions,
    rest: others.filter((object) => !isLast(object)),
    admission: others.filter(isLast),
  };
}

/** The result of an operation on an object, for the output of `--json`. */
export interface DoneObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly outcome: AppliedObject['outcome'] | 'deleted' | 'kept' | 'absent';
  readonly changes?: readonly FieldChange[];
}

/** Creates the result of an operation on an object. */
export function doneObject(object: KubeObject, outcome: DoneObject['outcome']): DoneObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name, outcome };
}

/** The options of `applyObjects`. */
export interface ApplyObjectsOptions extends ApplyOptions {
  readonly output: Output;
  /** The results of previous calls of `applyObjects` in the same command. @default none */
  readonly known?: readonly DoneObject[];
}

/** Applies objects one after the other, and prints each object that is created or changed. */
export async function applyObjects(
  api: KubeApi,
  objects: readonly KubeObject[],
  { output, known = [], ...options }: ApplyObjectsOptions,
): Promise<readonly DoneObject[]> {
  const done: DoneObject[] = [];
  for (const object of objects) {
    const applied = await applyOne(api, object, { options, done: [...known, ...done] });
    reportApplied(output, applied, { object, dryRun: options.dryRun === true });
    const { outcome, changes } = applied;
    done.push({ ...doneObject(object, outcome), ...(changes.length > 0 && { changes }) });
  }
  return done;
}

/**
 * Applies an object. In a dry run, the API server rejects an object in a namespace that does not exist yet. If the same dry run would
 * create the namespace, returns the result `created` instead of the error.
 */
async function applyOne(
  api: KubeApi,
  object: KubeObject,
  { options, done }: { readonly options: ApplyOptions; readonly done: readonly DoneObject[] },
): Promise<AppliedObject> {
  try {
    return await api.apply(object, options);
  } catch (error) {
    const { namespace } = object.metadata;
    const isNewNamespace = done.some(
      (one) => one.kind === 'Namespace' && one.name === namespace && one.outcome === 'created',
    );
    if (options.dryRun === true && isNewNamespace && isMissingNamespace(error))
      return { object, outcome: 'created', changes: [] };
    throw error;
  }
}

/** Reports whether the API server rejected a request because a namespace does not exist. */
export function isMissingNamespace(error: unknown): boolean {
  return isNotFound(error) && error.body.details?.kind === 'namespaces';
}

function reportApplied(
  output: Output,
  { outcome, changes }: AppliedObject,
  { object, dryRun }: { readonly object: KubeObject; readonly dryRun: boolean },
): void {
  const { green, yellow, dim } = output.styles;
  if (outcome === 'unchanged') return;
  const created = green(dryRun ? 'would create' : 'created');
  const changed = yellow(dryRun ? 'would change' : 'changed');
  output.line(`${outcome === 'created' ? created : changed} ${describeObject(object)}`);
  for (const { field, from, to, secret } of changes.slice(0, SHOWN_CHANGES)) {
    const values = secret === true ? '(secret)' : shownDifference(from, to).join(' → ');
    output.line(dim(`  ${field}: ${values}`));
  }
  const more = changes.length - SHOWN_CHANGES;
  if (more > 0) output.line(dim(`  … and ${more} more`));
}

/** Returns a count with a noun in the singular or plural: '1 kind', '3 kinds'. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
