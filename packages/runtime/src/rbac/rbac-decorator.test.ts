import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Rbac, rbacRulesOf } from './rbac-decorator.js';

test('returns the RBAC rules of a class in source order, without the rules of its superclass', () => {
  @Rbac({ kind: Secret, verbs: ['get'] })
  @Rbac({ groups: ['example.com'], resources: ['quotas'], verbs: ['list'], names: ['default'] })
  @Rbac({ urls: ['/metrics'], verbs: ['get'] })
  class Reader {}
  @Rbac({ kind: ConfigMap, verbs: ['watch'] })
  class Watcher extends Reader {}
  class Other extends Reader {}

  assert.deepEqual(rbacRulesOf(Reader), [
    { kind: Secret, verbs: ['get'] },
    { groups: ['example.com'], resources: ['quotas'], verbs: ['list'], names: ['default'] },
    { urls: ['/metrics'], verbs: ['get'] },
  ]);
  assert.deepEqual(rbacRulesOf(Watcher), [{ kind: ConfigMap, verbs: ['watch'] }]);
  assert.deepEqual(rbacRulesOf(Other), []);
});
