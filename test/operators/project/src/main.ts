import { connect } from '@kubewright/runtime';
import { Project } from './api/v1/project.js';
import { watchProjects } from './watch-projects.js';

await using cluster = await connect();
const projects = await cluster.client.live.list(Project, { namespace: 'default' });
console.log(
  'projects found:',
  projects.map((project) => project.metadata.name),
);
await watchProjects(cluster, 'some-namespace', console.log, AbortSignal.timeout(60_000));
