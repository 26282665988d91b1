import { type Steps, withBreak } from '@kubewright/api/apply';
import { valueAt } from '../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';
import type { Trust } from '../work/trust.js';

const configMapName = 'kube-root-ca.crt';
const about =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Maintains a ConfigMap with the server's certificate authority in each active namespace. Pods mount this ConfigMap. */
export class RootCertificatePublisher implements Controller {
  readonly name = 'root-ca-cert-publisher';
  readonly #setting: ControllerSetting;
  readonly #certificate: string;

  constructor(setting: ControllerSetting, { certificateAuthority }: Pick<Trust, 'certificateAuthority'>) {
    this.#setting = setting;
    this.#certificate = certificateAuthority;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace } = object.metadata;
    if (bucket === '/namespaces' && type !== 'DELETED') queue.add(name);
    if (bucket === '/configmaps' && type !== 'ADDED' && name === configMapName && namespace) queue.add(namespace);
  }

  *sync(namespace: string): Steps<void> {
    const { registry } = this.#setting;
    const active = registry.builtIn('/v1/namespaces').find({ name: namespace });
    if (active === undefined || valueAt(active, 'status', 'phase') !== 'Active') return;
    const configMaps = registry.builtIn('/v1/configmaps');
    const key = { namespace, name: configMapName };
    const live = configMaps.find(key);
    const data = { 'ca.crt': this.#certificate };
    if (live === undefined) {
      const annotations = { 'kubernetes.io/description': about };
      const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key, annotations }, data };
      yield* configMaps.createSteps(made, controllerContext(this.name, 'create'));
      return;
    }
    const { data: held } = live as { readonly data?: Readonly<Record<string, string>> };
    const annotated = live.metadata.annotations?.['kubernetes.io/description'] === about;
    if (annotated && Object.keys(held ?? {}).length === 1 && held?.['ca.crt'] === this.#certificate) return;
    const annotations = { ...live.metadata.annotations, 'kubernetes.io/description': about };
    const next = { ...live, metadata: { ...live.metadata, annotations }, data };
    const replaced = withBreak(() => next);
    yield* configMaps.updateSteps(key, replaced, controllerContext(this.name, 'update'));
  }
}
