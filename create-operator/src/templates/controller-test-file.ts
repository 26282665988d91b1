import { kebabCase, variableOf } from '../scaffold/kind-names.js';
import { apiPath, importFromControllers } from '../scaffold/kind-paths.js';
import type { KindFilesOptions } from '../scaffold/scaffold-options.js';

/** Returns the test of the controller, which uses an API server inside the test process. */
export function controllerTestFile(options: KindFilesOptions): string {
  const { kind, namespaced } = options;
  const object = variableOf(kind);
  const metadata = namespaced ? "{ name: 'sample', namespace: 'default' }" : "{ name: 'sample' }";
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { explore, TestEnvironment } from '@kubewright/testing';
import { ${kind} } from '${importFromControllers(apiPath(options))}';
import { ${kind}Controller } from './${kebabCase(kind)}-controller.js';

const sample = new ${kind}({ metadata: ${metadata}, spec: { replicas: 2 } });

test('${kind} becomes ready, follows its spec, and is deleted with its Deployment', async () => {
  await using env = await TestEnvironment.start({ kinds: [${kind}], workloads: true, objects: [sample] });
  await env.run(${kind}Controller);
  const ${object} = await env.until(sample, (seen) => isConditionTrue(seen, 'Ready'));
  assert.equal(${object}.status?.readyReplicas, 2);

  await env.client.patch(${object}, (draft) => {
    draft.spec.replicas = 3;
  });
  await env.until(${object}, ({ status }) => status?.readyReplicas === 3);

  await env.client.delete(${object});
  await env.untilDeleted(${object});
  await env.settled();
  assert.deepEqual(await env.client.list(Deployment), []);
});

test('${kind}Controller satisfies the rules of operators in generated histories', async () => {
  await explore({ kinds: [${kind}], controllers: [${kind}Controller], samples: [sample], budget: '10s' });
});
`;
}
