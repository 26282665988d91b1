import { type Steps, withBreak } from '@kubewright/api/apply';
import { isAlreadyExists } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { claimed } from './claims.js';
import { controllerReference, isControlledBy } from '../../objects/controller-reference.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { podTemplateHash, withSortedKeys } from './pod-template-hash.js';

const bucket = 'apps/controllerrevisions';

/** The owner of a revision history. */
export interface HistoryOwner {
  readonly setting: ControllerSetting;
  readonly owner: ApiObject;
  /** The name of the controller that maintains the history. */
  readonly name: string;
  /** The name of the label that contains the hash of a ControllerRevision. */
  readonly hashLabel: string;
}

/** The newest revision, and the number of hash collisions so far. */
export interface Updated {
  readonly revision: ApiObject;
  readonly collisions: number;
}

/** Returns the ControllerRevisions of an owner, oldest first. */
export function* revisionsOf({ setting, owner, name }: HistoryOwner): Steps<readonly ApiObject[]> {
  const selector = ownerSelector(owner);
  const revisions = yield* claimed(setting, { owner, bucket, selector, name });
  return revisions.toSorted((a, b) => number(a) - number(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

/**
 * Returns the revision of the owner's template, and makes this revision the newest. Creates the revision if it does not exist. If an
 * earlier revision has the template, sets the number of this revision to the highest number.
 */
export function* updateRevision(history: HistoryOwner): Steps<Updated> {
  const { owner, setting } = history;
  const revisions = yield* revisionsOf(history);
  const data = dataOf(owner);
  const collisions = numberAt(owner, 'status', 'collisionCount') ?? 0;
  const next = revisions.reduce((last, revision) => Math.max(last, number(revision)), 0) + 1;
  for (const revision of revisions.toReversed()) {
    const isEqual = deepEqual(revision['data'], data);
    yield;
    if (!isEqual) continue;
    if (revision === revisions.at(-1)) return { revision, collisions };
    const resource = setting.registry.builtIn('apps/v1/controllerrevisions');
    const change = withBreak((live: ApiObject) => ({ ...live, revision: next }));
    const context = controllerContext(history.name, 'update');
    return { revision: yield* resource.updateSteps(revision.metadata, change, context), collisions };
  }
  return yield* create(history, { data, next, collisions });
}

/**
 * Deletes the oldest unused revisions beyond the limit of the history. `counts` returns whether the limit includes a revision.
 */
export function* forgetRevisions(
  history: HistoryOwner,
  {
    isUsed,
    counts,
  }: { readonly isUsed: (revision: ApiObject) => boolean; readonly counts: (revision: ApiObject) => boolean },
): Steps<void> {
  const limit = numberAt(history.owner, 'spec', 'revisionHistoryLimit') ?? 10;
  const revisions = yield* revisionsOf(history);
  const surplus = Math.max(0, revisions.filter(counts).length - limit);
  const resource = history.setting.registry.builtIn('apps/v1/controllerrevisions');
  for (const { metadata } of revisions.filter((revision) => !isUsed(revision)).slice(0, surplus)) {
    const preconditions = { uid: metadata.uid };
    yield* resource.deleteSteps(metadata, { preconditions }, controllerContext(history.name, 'delete'));
  }
}

/** Returns the template of a revision. */
export function templateOf(revision: ApiObject): Record<string, unknown> {
  const { $patch: _, ...template } = objectAt(revision, 'data', 'spec', 'template');
  return template;
}

function* create(
  { setting, owner, name, hashLabel }: HistoryOwner,
  options: { readonly data: object; readonly next: number; readonly collisions: number },
): Steps<Updated> {
  const { data, next } = options;
  const resource = setting.registry.builtIn('apps/v1/controllerrevisions');
  for (let { collisions } = options; ; collisions += 1) {
    const hash = podTemplateHash(objectAt(owner, 'spec', 'template'), collisions);
    yield;
    const metadata = {
      name: `${owner.metadata.name.slice(0, 223)}-${hash}`,
      namespace: owner.metadata.namespace,
      labels: { ...objectAt(owner, 'spec', 'template', 'metadata', 'labels'), [hashLabel]: hash },
      ...(owner.metadata.annotations === undefined ? {} : { annotations: owner.metadata.annotations }),
      ownerReferences: [controllerReference(owner)],
    };
    try {
      const body = {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata,
        data: yield* withSortedKeys(data),
        revision: next,
      };
      yield;
      return { revision: yield* resource.createSteps(body, controllerContext(name, 'create')), collisions };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const other = resource.find({ name: metadata.name, namespace: metadata.namespace });
      if (other !== undefined && isControlledBy(other, owner) && deepEqual(other['data'], data)) {
        return { revision: other, collisions };
      }
    }
  }
}

function dataOf(owner: ApiObject): object {
  return { spec: { template: { ...objectAt(owner, 'spec', 'template'), $patch: 'replace' } } };
}

function number(revision: ApiObject): number {
  return numberAt(revision, 'revision') ?? 0;
}
