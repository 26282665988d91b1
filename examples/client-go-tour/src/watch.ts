// A list, and a watch that starts at the resourceVersion of the list. An informer consists of these two requests.
import { ConfigMap } from '@kubewright/api/core/v1';
import { connect } from '@kubewright/runtime';

const namespace = 'default';
const labels = { tour: 'watch' };

await using cluster = await connect();
const { client } = cluster;
await client.create(colours('dark', 'black'));

const pages = client.live.pages(ConfigMap, { namespace, labels });
let resourceVersion = '';
for await (const page of pages) {
  for (const { metadata } of page.items) console.log(`listed   ${metadata.name}`);
  resourceVersion = page.resourceVersion;
}

// The watch starts at the resourceVersion of the list, so it also reports the changes between the list and the start of the watch.
const light = await client.create(colours('light', 'white'));
await client.patch(light, { merge: { data: { colour: 'yellow' } } });
await client.deleteAll(ConfigMap, { namespace, labels });

let left = 2;
for await (const { type, object } of client.live.watch(ConfigMap, {
  namespace,
  labels,
  resourceVersion,
  resume: true,
})) {
  console.log(`${type.padEnd(8)} ${object.metadata.name}: ${object.data?.['colour']}`);
  if (type === 'deleted' && --left === 0) break;
}

function colours(name: string, colour: string): ConfigMap {
  return new ConfigMap({ metadata: { namespace, name, labels }, data: { colour } });
}
