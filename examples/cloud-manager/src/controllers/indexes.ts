import { controllerOf, type KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { index } from '@kubewright/runtime';

/** Finds the Deployments of a CloudManager by the name of the CloudManager. */
export const deploymentsByOwner = index(Deployment, '.metadata.controller', ownerOf);
/** Finds the StatefulSets of a CloudManager by the name of the CloudManager. */
export const statefulSetsByOwner = index(StatefulSet, '.metadata.controller', ownerOf);

/** Returns the name of the CloudManager that controls an object. */
function ownerOf(object: KubeObject): string | undefined {
  const owner = controllerOf(object);
  if (owner?.apiVersion !== 'cloudmanagercontroller.huayun.com/v1' || owner.kind !== 'CloudManager') return undefined;
  return owner.name;
}
