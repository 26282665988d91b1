import { X509Certificate } from 'node:crypto';
import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { leastOf } from '../../objects/extremes.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { bucket, certificateController, isIssued } from './signing-request.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Deletes old CertificateSigningRequests: requests that were issued, denied or failed 1 hour ago, requests without a certificate after 24
 * hours, and requests whose certificate has expired.
 */
export class CertificateCleaner implements Controller {
  readonly name = 'csrcleaner';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED') queue.add(object.metadata.name);
  }

  *sync(name: string, queue: KeyQueue): Steps<void> {
    const { registry } = this.#setting;
    const requests = registry.builtIn('certificates.k8s.io/v1/certificatesigningrequests');
    const request = requests.find({ name });
    if (request === undefined) return;
    const leftMs = endMsOf(request) - registry.clock.now().getTime();
    if (leftMs > 0) {
      if (Number.isFinite(leftMs)) queue.addAfter(name, leftMs);
      return;
    }
    const preconditions = { uid: request.metadata.uid };
    yield* requests.deleteSteps({ name }, { preconditions }, controllerContext(certificateController, 'delete'));
  }
}

/** Returns the time after which the request is deleted, in milliseconds. */
function endMsOf(request: ApiObject): number {
  const conditions = objectsAt(request, 'status', 'conditions');
  if (conditions.length === 0) return Date.parse(request.metadata.creationTimestamp) + dayMs;
  const ends = conditions.map((condition) => {
    const updatedMs = Date.parse(stringAt(condition, 'lastUpdateTime'));
    if (Number.isNaN(updatedMs)) return Infinity;
    if (condition['type'] === 'Approved') return updatedMs + (isIssued(request) ? hourMs : dayMs);
    return condition['type'] === 'Denied' || condition['type'] === 'Failed' ? updatedMs + hourMs : Infinity;
  });
  return leastOf([...ends, expiryMsOf(request)]);
}

function expiryMsOf(request: ApiObject): number {
  try {
    const { validTo } = new X509Certificate(Buffer.from(stringAt(request, 'status', 'certificate'), 'base64'));
    return Date.parse(validTo);
  } catch {
    // A certificate of another signer can be damaged.
    return Infinity;
  }
}
