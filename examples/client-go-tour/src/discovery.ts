// Lists the resources that a server serves, like `kubectl api-resources`.
import { connect, KubewrightError } from '@kubewright/runtime';

await using cluster = await connect();
const { groups, failed } = await cluster.discovery.served();
console.log(`${failed.size} versions could not be read`);

const resources = groups.flatMap(({ group, versions }) =>
  versions.flatMap(({ version, resources: served = [] }) =>
    served.map((resource) => ({ apiVersion: group === '' ? version : `${group}/${version}`, ...resource })),
  ),
);
console.log('in apps/v1:');
for (const { apiVersion, kind, plural, shortNames, subresources } of resources) {
  if (apiVersion !== 'apps/v1') continue;
  const parts = subresources.toSorted().map((name) => `/${name}`);
  console.log(`  ${kind.padEnd(18)} ${[plural, ...shortNames, ...parts].join(', ')}`);
}
const nameOf = (short: string) => resources.find(({ shortNames }) => shortNames.includes(short))?.kind;
console.log(`po is short for ${nameOf('po')}, deploy for ${nameOf('deploy')}, no for ${nameOf('no')}`);
const scalable = resources.filter(({ subresources }) => subresources.includes('scale')).map(({ kind }) => kind);
console.log(`scalable: ${scalable.toSorted().join(', ')}`);

const { apiVersion } = await cluster.discovery.find({ group: 'autoscaling', kind: 'HorizontalPodAutoscaler' });
console.log(`the preferred version of HorizontalPodAutoscaler is ${apiVersion}`);
await cluster.discovery.find({ group: 'apps', kind: 'Deploymint' }).catch((error: unknown) => {
  if (error instanceof KubewrightError) console.log(`${error.code}: ${error.message}`);
});
