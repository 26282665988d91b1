import type { KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { Secret, Service } from '@kubewright/api/core/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { CloudManager } from '../api/v1/cloud-manager.js';
import { authSecretFor, databaseFor, databaseServiceFor, frontFor, identityFor, isAvailable } from './children.js';
import { deploymentsByOwner, statefulSetsByOwner } from './indexes.js';

@Controller({
  for: CloudManager,
  owns: [Service, StatefulSet, Deployment, Secret],
  indexes: [deploymentsByOwner, statefulSetsByOwner],
})
export class CloudManagerController implements Reconciler<CloudManager> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(cm: CloudManager): Promise<Result> {
    await this.cleanUp(cm);
    const desired = [frontFor(cm), identityFor(cm), authSecretFor(cm), databaseServiceFor(cm), databaseFor(cm)];
    const children = await this.client.applyOwned(cm, desired, {
      inOrder: isAvailable,
      onPruned: (child) => this.reportDeleted(cm, child),
    });
    const phase = children.every((child) => child && isAvailable(child)) ? 'ready' : 'pending';
    if (phase !== cm.status?.phase) {
      await this.client.patchStatus(cm, { phase });
      this.events.normal(cm, 'Updated', `Update cm.status.phase: ${phase}`);
    }
    return Result.done();
  }

  /** Deletes each Deployment and StatefulSet whose name the spec no longer contains. Runs before the renamed children are created. */
  private async cleanUp(cm: CloudManager): Promise<void> {
    const { name, namespace } = cm.metadata;
    const { front, identity, db } = cm.spec;
    const names = {
      Deployment: [front.deployment.name, identity.deployment.name],
      StatefulSet: [db.statefulSet.name],
    };
    // The cache contains only Deployments and StatefulSets with this label. The client rejects a list without the label, because the list
    // would be incomplete.
    const children = { namespace, labels: { 'kubewright.dev/controller': 'cloud-manager' } };
    const deployments = await this.client.list(Deployment, { ...children, index: deploymentsByOwner(name) });
    const statefulSets = await this.client.list(StatefulSet, { ...children, index: statefulSetsByOwner(name) });
    for (const child of [...deployments, ...statefulSets]) {
      const { metadata, kind } = child;
      if (names[kind].includes(metadata.name) || metadata.deletionTimestamp !== undefined) continue;
      await this.client.delete(child);
      this.reportDeleted(cm, child);
    }
  }

  private reportDeleted(cm: CloudManager, { kind, metadata }: KubeObject): void {
    const kindName = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
    this.events.normal(cm, 'Deleted', `Deleted ${kindName} "${metadata.name}"`);
  }
}
