// A typed client in a plain program. For the same purpose, the article registers types and writes a clientset.
import { parseArgs } from 'node:util';
import { AccessRecord, connect, isInvalid } from '@kubewright/runtime';
import { Project } from './api/v1alpha1/project.js';

const namespace = 'default';
const record = new AccessRecord();

const { values } = parseArgs({ options: { kubeconfig: { type: 'string' }, once: { type: 'boolean' } } });
const { kubeconfig } = values;
if (kubeconfig !== undefined) console.log(`using configuration from '${kubeconfig}'`);
await using cluster = await connect(kubeconfig === undefined ? {} : { kubeconfig });
const client = cluster.client.with({ reads: 'live', record });

await client.apply(new Project({ metadata: { namespace, name: 'gzh-cr' }, spec: { replicas: 2 } }));
const project = await client.get(Project, { namespace, name: 'gzh-cr' });
console.log(`${project.metadata.name} has ${project.spec.replicas} replicas`);

const another = await client.create(new Project({ metadata: { namespace, name: 'another' }, spec: { replicas: 1 } }));
await client.patch(project, (draft) => {
  draft.spec.replicas = 3;
});
const projects = await client.list(Project, { namespace });
console.log('projects found:', projects.map(({ metadata, spec }) => `${metadata.name} (${spec.replicas})`).join(', '));
await client.delete(another);

const { resourceVersion } = another.metadata;
for await (const { type, object } of client.live.watch(Project, { namespace, resourceVersion })) {
  console.log(`watched: ${type} ${object.metadata.name} (${object.spec.replicas})`);
  if (type === 'deleted') break;
}

try {
  await client.apply(new Project({ metadata: { namespace, name: 'empty' }, spec: { replicas: 0 } }));
} catch (error) {
  if (isInvalid(error)) console.log(`rejected: ${error.message}`);
  else throw error;
}

console.log('used permissions:');
for (const { apiGroups, resources, verbs } of record.rules) {
  console.log(`  ${apiGroups?.join()} ${resources?.join()}: ${verbs.join(', ')}`);
}
