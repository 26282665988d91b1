// A store of all Projects of a namespace that is kept up to date: what the article writes WatchResources for.
import { connect } from '@kubewright/runtime';
import { watchProjects } from './watch-projects.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

await using cluster = await connect();
const once = process.argv.includes('--once');
await watchProjects(cluster, { namespace: 'default', once, say: console.log, signal: stop.signal });
