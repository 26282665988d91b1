import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { Project } from './api/v1alpha1/project.js';
import { watchProjects } from './watch-projects.js';

const namespace = 'default';
const project = new Project({ metadata: { namespace, name: 'gzh-cr' }, spec: { replicas: 2 } });

test('watchProjects reports the existing objects first, and then every change', async () => {
  await using env = await TestEnvironment.start({ kinds: [Project], objects: [project] });
  const stop = new AbortController();
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const watching = watchProjects(env.cluster, { namespace, say, signal: stop.signal });
  await env.cluster.cache.until(Project, project.metadata, () => true);
  await env.settled();
  await env.client.delete(project);
  await env.settled();
  stop.abort();
  await watching;
  assert.deepEqual(lines, [
    'in the store: 1',
    'gzh-cr, without a request: 2 replicas',
    'added gzh-cr: 2 replicas, 1 in the store',
    'deleted gzh-cr: 2 replicas, 0 in the store',
  ]);
});

test('watchProjects with `once` reports only the content of the store', async () => {
  await using env = await TestEnvironment.start({ kinds: [Project] });
  const lines: string[] = [];
  const { signal } = new AbortController();
  await watchProjects(env.cluster, { namespace, once: true, say: (line) => lines.push(line), signal });
  assert.deepEqual(lines, ['in the store: 0', 'gzh-cr, without a request: undefined replicas']);
});
