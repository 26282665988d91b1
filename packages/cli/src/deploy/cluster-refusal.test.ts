import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { clusterRefusal } from './cluster-refusal.js';

test('clusterRefusal keeps the whole name of an object if the name contains colons', () => {
  const message = 'Apply failed with 1 conflict: conflict with "helm": .rules';
  const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "helm"', field: '.rules' }];
  const conflict = new ApiError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 409,
      reason: 'Conflict',
      message,
      details: { causes },
    },
    { attempted: 'apply ClusterRole example:reader' },
  );
  const refusal = clusterRefusal(conflict, { server: 'https://127.0.0.1' });
  assert.ok(refusal instanceof KubewrightError);
  assert.equal(refusal.code, 'APPLY_CONFLICT');
  assert.match(
    refusal.message,
    /^apply ClusterRole example:reader: conflict with the field manager 'helm' on \.rules; /,
  );
});
