import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServiceBucket } from '../../registry/aggregation/aggregated-service.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { Store } from '../../storage/store.js';
import { mergedGroups } from './merged-groups.js';

test('inserts the groups of aggregated API servers by the priorities of their APIServices', () => {
  const store = new Store();
  const add = (name: string, [groupPriority, versionPriority]: readonly [number, number], service?: object): void => {
    const [version = '', ...rest] = name.split('.');
    const spec = {
      group: rest.join('.'),
      version,
      groupPriorityMinimum: groupPriority,
      versionPriority,
      ...(service && { service }),
    };
    const metadata = { name, uid: name } as ApiObject['metadata'];
    store.create(apiServiceBucket, { apiVersion: 'v1', kind: 'APIService', metadata, spec });
  };
  const service = { namespace: 'default', name: 'a' };
  add('v1.high.example.com', [2000, 10], service);
  add('v1.batch', [500, 15]);
  add('v1.equal.example.com', [500, 10], service);
  add('v2.batch', [500, 20], service);
  add('v1.low.example.com', [100, 10], service);
  add('v2.low.example.com', [100, 10], service);
  add('v1beta1.low.example.com', [100, 20], service);
  const own = ['/v1', 'batch/v1', 'custom.example.com/v1'].map((text): object => {
    const [group, version] = text.split('/');
    return { group, version, plural: 'things', custom: true };
  });
  const merged = mergedGroups({ all: () => own as readonly ResourceDefinition[], store });
  assert.deepEqual(
    merged.map(({ group, versions }) => `${group}: ${versions.map(({ version }) => version).join(' ')}`),
    [
      'high.example.com: v1',
      ': v1',
      'custom.example.com: v1',
      'equal.example.com: v1',
      'batch: v2 v1',
      'low.example.com: v1beta1 v2 v1',
    ],
  );
});
