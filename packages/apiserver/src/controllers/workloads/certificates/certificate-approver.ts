import { type Steps, withBreak } from '@kubewright/api/apply';
import { attributesOf } from '../../../authorization/attributes.js';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt, textsAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { kubeletClient, kubeletClientSigner } from './built-in-signers.js';
import { bucket, certificateController, hasCondition, isPending, requestOf } from './signing-request.js';

/** Approves the requests of kubelets for client certificates if the requesting user has the permission. */
export class CertificateApprover implements Controller {
  readonly name = 'csrapproving';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED' && isPending(object)) queue.add(object.metadata.name);
  }

  *sync(name: string): Steps<void> {
    const requests = this.#setting.registry.builtIn('certificates.k8s.io/v1/certificatesigningrequests');
    const request = requests.find({ name });
    if (request === undefined || !isPending(request)) return;
    if (stringAt(request, 'spec', 'signerName') !== kubeletClientSigner) return;
    const content = requestOf(request);
    if (content === undefined) return;
    if (kubeletClient(content, new Set(textsAt(request, 'spec', 'usages'))) !== undefined) return;
    const isOwn = stringAt(request, 'spec', 'username') === content.commonName;
    const message =
      isOwn && this.#allows(request, 'selfnodeclient')
        ? 'Auto approving self kubelet client certificate after SubjectAccessReview.'
        : this.#allows(request, 'nodeclient')
          ? 'Auto approving kubelet client certificate after SubjectAccessReview.'
          : undefined;
    if (message === undefined) return;
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    const change = withBreak((live: ApiObject) => {
      if (hasCondition(live, 'Denied') || hasCondition(live, 'Approved')) return live;
      const conditions = [...objectsAt(live, 'status', 'conditions'), condition];
      return { ...live, status: { ...copyJson(objectAt(live, 'status')), conditions } };
    });
    yield* requests.updateSteps({ name }, change, controllerContext(certificateController, 'update', 'approval'));
  }

  #allows(request: ApiObject, subresource: string): boolean {
    const user = {
      name: stringAt(request, 'spec', 'username'),
      groups: textsAt(request, 'spec', 'groups'),
    };
    const resource = `certificatesigningrequests/${subresource}`;
    const permission = { group: 'certificates.k8s.io', resource, verb: 'create' };
    return this.#setting.trust?.allows(attributesOf(user, permission)) === true;
  }
}
