// A typed client in a plain program: what the article registers types and writes a clientset for.
import { AccessRecord, connect, isInvalid } from '@kubewright/runtime';
import { Project } from './api/v1alpha1/project.js';

const namespace = 'default';
const record = new AccessRecord();

await using cluster = await connect();
const client = cluster.client.with({ reads: 'live', record });

await client.apply(new Project({ metadata: { namespace, name: 'gzh-cr' }, spec: { replicas: 2 } }));
const project = await client.get(Project, { namespace, name: 'gzh-cr' });
console.log(`${project.metadata.name} has ${project.spec.replicas} replicas`);

await client.patch(project, (draft) => {
  draft.spec.replicas = 3;
});
const projects = await client.list(Project, { namespace });
console.log('projects found:', projects.map(({ metadata, spec }) => `${metadata.name} (${spec.replicas})`).join(', '));

try {
  await client.apply(new Project({ metadata: { namespace, name: 'empty' }, spec: { replicas: 0 } }));
} catch (error) {
  if (isInvalid(error)) console.log(`refused: ${error.message}`);
  else throw error;
}

console.log('the rights that it took:');
for (const { apiGroups, resources, verbs } of record.rules) {
  console.log(`  ${apiGroups?.join()} ${resources?.join()}: ${verbs.join(', ')}`);
}
