// Uses the service account of the Pod inside a cluster, and a kubeconfig elsewhere: connect() detects the environment.
import { SelfSubjectReview } from '@kubewright/api/authentication/v1';
import { Namespace, Pod } from '@kubewright/api/core/v1';
import { connect, isNotFound } from '@kubewright/runtime';

const inPod = process.env['KUBERNETES_SERVICE_HOST'] !== undefined;
console.log(inPod ? 'running in a Pod' : 'not running in a Pod: KUBERNETES_SERVICE_HOST is not set');

await using cluster = await connect();
const { client } = cluster;
const { status } = await client.create(new SelfSubjectReview({ metadata: { generateName: 'self-' } }));
console.log(`connected as ${status?.userInfo?.username}`);

const namespaces = await client.live.list(Namespace);
console.log(`namespaces: ${namespaces.map(({ metadata }) => metadata.name).join(', ')}`);
const pods = await client.live.list(Pod);
console.log(`the cluster has ${pods.length} Pods`);

const key = { namespace: 'default', name: 'example-xxxxx' };
try {
  await client.live.get(Pod, key);
  console.log(`found Pod ${key.name} in namespace ${key.namespace}`);
} catch (error) {
  if (!isNotFound(error)) throw error;
  console.log(`Pod ${key.name} not found in namespace ${key.namespace}`);
}
