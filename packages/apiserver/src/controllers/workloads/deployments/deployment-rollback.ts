import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { draftOf, madeAt, objectAt } from '../../../registry/objects/json-object.js';
import { highestRevisions, isOmitted, parseRevision, revisionOf, rollbackAnnotation } from './deployment-revisions.js';
import { type DeploymentWork, hasTemplate, withoutHash } from './deployment-work.js';

/**
 * Returns the revision that an annotation of the Deployment requests, or undefined if the annotation is unset or is not an integer. The
 * revision 0 means the previous revision.
 */
export function rollbackOf({ metadata }: ApiObject): bigint | undefined {
  return parseRevision(metadata.annotations?.[rollbackAnnotation] ?? '');
}

/**
 * Restores the template of an earlier revision. If there is nothing to restore, records an Event with the reason. Removes the rollback
 * annotation in both cases.
 */
export function* rollBack(work: DeploymentWork, requested: bigint): Steps<void> {
  const { deployment } = work;
  const sets = work.all();
  const revision = requested === 0n ? highestRevisions(sets)[1] : requested;
  const target = revision === 0n ? undefined : sets.find((set) => revisionOf(set) === revision);
  if (target === undefined) {
    const what = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    work.say('Warning', 'DeploymentRollbackRevisionNotFound', what);
    yield* work.update(withoutRollback);
    return;
  }
  const { name } = deployment.metadata;
  if (hasTemplate(target, objectAt(deployment, 'spec', 'template'))) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    work.say('Warning', 'DeploymentRollbackTemplateUnchanged', message);
    yield* work.update(withoutRollback);
    return;
  }
  yield* work.update((live) => withTemplateOf(withoutRollback(live), target));
  work.say('Normal', 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`);
}

function withoutRollback(live: ApiObject): JsonDraft {
  const next = draftOf(live);
  delete madeAt(next, 'metadata', 'annotations')[rollbackAnnotation];
  return next;
}

function withTemplateOf(next: JsonDraft, set: ApiObject): JsonDraft {
  madeAt(next, 'spec')['template'] = withoutHash(objectAt(set, 'spec', 'template'));
  const kept = Object.entries(objectAt(next, 'metadata', 'annotations')).filter(([name]) => isOmitted(name));
  const taken = Object.entries(set.metadata.annotations ?? {}).filter(([name]) => !isOmitted(name));
  madeAt(next, 'metadata')['annotations'] = Object.fromEntries([...kept, ...taken]);
  return next;
}
