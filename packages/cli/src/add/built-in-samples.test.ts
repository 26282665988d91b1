import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { TestEnvironment } from '@kubewright/testing';
import { CompiledModules } from '../test-support/compiled-modules.js';
import { builtInKind } from './built-in-kind.js';
import { builtInSample, sampledKinds } from './built-in-samples.js';
import { controllerSkeleton, controllerSkeletonTest } from './controller-skeleton.js';

const found = sampledKinds.map((each) => {
  const [group = '', kind = ''] = each.split('/');
  const builtIn = builtInKind({ group, kind });
  assert.ok(builtIn, each);
  return builtIn;
});

test('an API server accepts the samples of built-in kinds', async () => {
  await using env = await TestEnvironment.start();
  for (const { info } of found) {
    const { apiVersion, kind } = info;
    await env.client.create({ apiVersion, kind, ...builtInSample(info) } as unknown as KubeObject & { spec: object });
  }
});

test('controllers of built-in kinds and their tests compile', async () => {
  const modules = new Map<string, string>();
  for (const { info, module } of found) {
    const { kind } = info;
    const common = { className: `${kind}Controller`, kindClass: kind, from: module, kind };
    const sample = builtInSample(info) ?? {};
    modules.set(`${kind}.ts`, controllerSkeleton({ ...common, finalizes: true }));
    modules.set(`${kind}.test.ts`, controllerSkeletonTest({ ...common, module: kind, sample, isInstalled: false }));
  }
  await using compiled = await CompiledModules.of(modules);
  assert.equal(compiled.answer, '');
});

test('builtInKind finds a built-in kind by its name, group, and version', () => {
  const module = (kind: string, group?: string, version?: string): string | undefined =>
    builtInKind({ kind, ...(group !== undefined && { group }), ...(version !== undefined && { version }) })?.module;
  assert.equal(module('Pod'), '@kubewright/api/core/v1');
  assert.equal(module('Pod', 'core'), '@kubewright/api/core/v1');
  assert.equal(module('Event'), '@kubewright/api/core/v1');
  assert.equal(module('Event', 'events.k8s.io'), '@kubewright/api/events/v1');
  assert.equal(module('Role', 'rbac'), '@kubewright/api/rbac/v1');
  assert.equal(module('HorizontalPodAutoscaler'), '@kubewright/api/autoscaling/v2');
  assert.equal(module('HorizontalPodAutoscaler', 'autoscaling', 'v1'), '@kubewright/api/autoscaling/v1');
  assert.equal(module('Pod', 'apps'), undefined);
  assert.equal(module('Website'), undefined);
});
