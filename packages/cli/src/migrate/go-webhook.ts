import { type GoFunction, goFunctions } from './go-function.js';
import { type WebhookMarker, webhookMarkersIn } from './webhook-marker.js';

/** A method of a webhook in a Go source. */
export interface GoMethod extends GoFunction {
  /** The path of the source. */
  readonly file: string;
}

/** The names of a version of a kind. */
export interface GoVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The methods of webhooks, and the markers `+kubebuilder:webhook`, in the Go sources of a project. */
export class GoWebhooks {
  readonly #methods: readonly GoMethod[];
  readonly #markers: readonly WebhookMarker[];

  /** @param sources the texts by path, without tests */
  constructor(sources: ReadonlyMap<string, string>) {
    this.#methods = [...sources].flatMap(([file, text]) => goFunctions(text).map((each) => ({ ...each, file })));
    this.#markers = [...sources.values()].flatMap(webhookMarkersIn);
  }

  /**
   * Returns the methods that have one of the given names, and whose receiver is the type of a kind or a type that is named after the kind,
   * such as `CronJobCustomDefaulter`. Prefers sources in a folder that is named after the version.
   */
  methods({ kind, version }: Pick<GoVersion, 'kind' | 'version'>, names: readonly string[]): readonly GoMethod[] {
    const own = new RegExp(`^${kind}(?:\\w*(?:Defaulter|Validator|Webhook))?$`, 'i');
    const found = this.#methods.filter(({ name, receiver = '' }) => names.includes(name) && own.test(receiver));
    const near = found.filter(({ file }) => file.split('/').includes(version));
    return near.length > 0 ? near : found;
  }

  /** Returns the marker of the mutating or validating webhook of a version. Undefined if there is none. */
  marker({ group, version, kind }: GoVersion, type: 'mutating' | 'validating'): WebhookMarker | undefined {
    const isOf = (marker: WebhookMarker): boolean =>
      (marker.get('mutating') === 'true') === (type === 'mutating') &&
      (marker.get('groups') ?? '') === (group === '' ? 'core' : group) &&
      (marker.get('versions') ?? '').split(';').includes(version);
    const suffix = `-${kind.toLowerCase()}`;
    const found = this.#markers.filter((marker) => isOf(marker));
    return found.find((marker) => marker.get('path')?.endsWith(suffix) === true);
  }
}
