import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import { describe } from '../../client/requests/target.js';
import type { Cause } from '../../queue/cause.js';
import { changedPaths } from '../watches/changed-paths.js';

/**
 * Returns the cause of a reconcile that a change triggers. `kind` states which object is reconciled: the changed object ('own'), its owner
 * ('owned'), or another object ('watched').
 */
export function causeOf(kind: 'own' | 'owned' | 'watched', change: Change<KubeObject>): Cause {
  const { object } = change;
  const paths = change.type === 'modified' ? { changedPaths: changedPaths(change.old, object) } : {};
  if (kind === 'own') return { kind: change.type, ...paths };
  const what = change.type === 'modified' ? '' : ` ${change.type}`;
  return { kind, source: `${describe(object.kind, object.metadata)}${what}`, ...paths };
}
