// An informer keeps a store of all Projects of a namespace up to date. This program corresponds to WatchResources in the article.
import { parseArgs } from 'node:util';
import { connect, type Duration } from '@kubewright/runtime';
import { watchProjects } from './watch-projects.js';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    once: { type: 'boolean', default: false },
    resync: { type: 'string', default: '1m' },
  },
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const { kubeconfig, once } = values;
const resync = values.resync as Duration;
await using cluster = await connect(kubeconfig === undefined ? {} : { kubeconfig });
await watchProjects(cluster, { namespace: 'default', once, resync, say: console.log, signal: stop.signal });
