import { objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';

const states = ['Running', 'Failed', 'Succeeded'];

/** The strategy for StorageVersionMigrations of Kubernetes 1.37. Only the schema validates the objects. No controller migrates objects. */
export const storageVersionMigrationStrategy: Partial<Strategy> = {
  allowUnconditionalUpdate: false,
  cells: (migration) => {
    const parts = ['resource', 'group'].map((field) => stringAt(migration, 'spec', 'resource', field));
    const conditions = objectsAt(migration, 'status', 'conditions').filter(({ status }) => status === 'True');
    return [
      migration.metadata.name,
      parts.filter((part) => part !== '').join('.'),
      conditions.map(({ type }) => type).findLast((type) => states.includes(String(type))) ?? 'Unknown',
    ];
  },
};
