import { isConditionTrue } from '@kubewright/api';
import { Database } from './api/v1/database.js';
import { DatabaseController } from './controllers/database-controller.js';

export { Database } from './api/v1/database.js';
export { type Version, versions } from './api/v1/version.js';
export { DatabaseController } from './controllers/database-controller.js';

export const kinds = [Database];
export const controllers = [DatabaseController];
export const samples = [
  new Database({
    metadata: { name: 'shop', namespace: 'default' },
    spec: { version: '10.6', backup: { schedule: '* * * * *' } },
  }),
];

/** Reports whether a sample is in the desired state. */
export function isConverged(db: Database): boolean {
  return isConditionTrue(db, 'Ready') && db.status?.version === db.spec.version;
}
