import { isReady } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { Secret } from '@kubewright/api/core/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { CloudManager } from '../api/v1/cloud-manager.js';
import { authSecretFor, databaseFor, frontFor, identityFor } from './children.js';

@Controller({ for: CloudManager, owns: [Deployment, StatefulSet, Secret] })
export class CloudManagerController implements Reconciler<CloudManager> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(cm: CloudManager): Promise<Result> {
    const wanted = [frontFor(cm), identityFor(cm), authSecretFor(cm), databaseFor(cm)];
    const children = await this.client.applyOwned(cm, wanted, {
      inOrder: true,
      onPruned: (child) => this.events.normal(cm, 'Deleted', `deleted ${child.kind} ${child.metadata.name}`),
    });
    const phase = children.every((child) => child && isReady(child)) ? 'Ready' : 'Pending';
    if (phase !== cm.status?.phase) {
      await this.client.patchStatus(cm, { phase });
      this.events.normal(cm, 'Updated', `phase is ${phase}`);
    }
    return Result.done();
  }
}
