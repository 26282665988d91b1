import { type Steps, withBreak } from '@kubewright/api/apply';
import { extensions } from '@kubewright/api/certificates';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import type { UnsignedCertificate } from '../../work/trust.js';
import { extendedUsageIds, keyUsageBits, signerRules } from './built-in-signers.js';
import type { CertificateRequest } from '../../../registry/strategies/certificates/certificate-request.js';
import { bucket, certificateController, hasCondition, isIssued, requestOf } from './signing-request.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const yearMs = 365 * 24 * hourMs;
/** The validity of a certificate starts this time before the current time, because clocks can differ. */
const backdateMs = 5 * minuteMs;
/** A lifetime below this limit starts at the current time. Other lifetimes start at the start of the validity. */
const longMs = 8 * hourMs;
const shortestMs = 10 * minuteMs;

/** Signs approved requests for the signers that Kubernetes implements. */
export class CertificateSigner implements Controller {
  readonly name = 'csrsigning';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED' && isApproved(object)) queue.add(object.metadata.name);
  }

  *sync(name: string): Steps<void> {
    const { registry, trust } = this.#setting;
    const requests = registry.builtIn('certificates.k8s.io/v1/certificatesigningrequests');
    const request = requests.find({ name });
    if (request === undefined || trust === undefined || !isApproved(request)) return;
    const rule = signerRules.get(stringAt(request, 'spec', 'signerName'));
    const content = rule && requestOf(request);
    if (rule === undefined || content === undefined) return;
    const now = registry.clock.now();
    const refusal = rule(content, new Set(textsAt(request, 'spec', 'usages')));
    const result =
      refusal === undefined
        ? { certificate: Buffer.from(trust.sign(certificateOf(request, content, now))).toString('base64') }
        : { conditions: [...objectsAt(request, 'status', 'conditions'), failed(refusal, timestamp(now))] };
    yield;
    const change = withBreak((live: ApiObject) =>
      isApproved(live) ? { ...live, status: { ...copyJson(objectAt(live, 'status')), ...result } } : live,
    );
    yield* requests.updateSteps({ name }, change, controllerContext(certificateController, 'update', 'status'));
  }
}

/** Whether the request is approved, and has neither a certificate nor a failure. */
function isApproved(request: ApiObject): boolean {
  const isFinal = hasCondition(request, 'Denied') || hasCondition(request, 'Failed') || isIssued(request);
  return hasCondition(request, 'Approved') && !isFinal;
}

function failed(message: string, now: string): JsonDraft {
  return { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime: now };
}

function certificateOf(request: ApiObject, content: CertificateRequest, now: Date): UnsignedCertificate {
  const usages = textsAt(request, 'spec', 'usages');
  const bits = usages.flatMap((usage) => keyUsageBits.get(usage) ?? []);
  const ids = new Set(usages.flatMap((usage) => extendedUsageIds.get(usage) ?? []));
  const lifetimeMs = lifetimeMsOf(request);
  const endMs = now.getTime() + lifetimeMs - (lifetimeMs < longMs ? 0 : backdateMs);
  return {
    subject: content.subject,
    publicKey: content.publicKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter: new Date(endMs),
    extensions: [
      ...(bits.length === 0 ? [] : [extensions.keyUsages(...bits)]),
      ...(ids.size === 0 ? [] : [extensions.purposes(...ids)]),
      extensions.noAuthority(),
      ...(content.names === undefined ? [] : [extensions.names(content.names)]),
    ],
  };
}

function lifetimeMsOf(request: ApiObject): number {
  const seconds = numberAt(request, 'spec', 'expirationSeconds');
  return seconds === undefined ? yearMs : Math.min(yearMs, Math.max(shortestMs, seconds * 1000));
}
