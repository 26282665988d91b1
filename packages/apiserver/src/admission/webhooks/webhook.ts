import { createRequire } from 'node:module';
import type { MatchConditions } from '@kubewright/api/cel';
import type { Store } from '../../storage/store.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import type { WebhookClientConfig } from '../../registry/webhooks/client-config.js';
import type { RuleSelection } from '../matching/match-rules.js';
import { type Selectors, selectorsOf } from '../matching/match-selectors.js';

/** A webhook of a configuration. */
export interface Webhook extends RuleSelection, Selectors {
  readonly name: string;
  /** Identifies the webhook: webhooks of one configuration can have the same name. */
  readonly id: string;
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: string;
  readonly reviewVersions: readonly string[];
  readonly isReinvoked: boolean;
  /** Returns the compiled `matchConditions`, or undefined if the webhook has none. */
  readonly conditions: () => MatchConditions | undefined;
}

const load = createRequire(import.meta.url);

const defaultTimeoutSeconds = 10;

/** The webhooks of all configurations of one kind, in the order in which a kube-apiserver calls them. */
export class ConfiguredWebhooks {
  readonly #bucket: string;
  #configurations: readonly ApiObject[] = [];
  #webhooks: readonly Webhook[] = [];
  readonly #known = new WeakMap<ApiObject, readonly Webhook[]>();

  constructor(kind: 'mutating' | 'validating') {
    this.#bucket = `admissionregistration.k8s.io/${kind}webhookconfigurations`;
  }

  /** Returns the webhooks that are stored now, in the order of the names of their configurations. */
  in(store: Store): readonly Webhook[] {
    const configurations = store.list(this.#bucket);
    if (configurations === this.#configurations) return this.#webhooks;
    this.#configurations = configurations;
    this.#webhooks = configurations.flatMap((configuration) => this.#of(configuration));
    return this.#webhooks;
  }

  #of(configuration: ApiObject): readonly Webhook[] {
    const known = this.#known.get(configuration);
    if (known !== undefined) return known;
    const webhooks = objectsAt(configuration, 'webhooks').map((webhook, at) =>
      webhookOf(webhook, `${configuration.metadata.name}/${at}`),
    );
    this.#known.set(configuration, webhooks);
    return webhooks;
  }
}

function webhookOf(webhook: JsonObject, id: string): Webhook {
  return {
    id,
    name: stringAt(webhook, 'name'),
    rules: objectsAt(webhook, 'rules'),
    matchPolicy: stringAt(webhook, 'matchPolicy'),
    ...selectorsOf(webhook),
    clientConfig: objectAt(webhook, 'clientConfig'),
    failurePolicy: webhook['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
    timeoutSeconds: numberAt(webhook, 'timeoutSeconds') ?? defaultTimeoutSeconds,
    sideEffects: stringAt(webhook, 'sideEffects'),
    reviewVersions: textsAt(webhook, 'admissionReviewVersions'),
    isReinvoked: webhook['reinvocationPolicy'] === 'IfNeeded',
    conditions: onDemand(() => conditionsOf(webhook)),
  };
}

/** Compiles the `matchConditions` of a webhook. Does not load the CEL library for a webhook without conditions. */
function conditionsOf(webhook: JsonObject): MatchConditions | undefined {
  const conditions = objectsAt(webhook, 'matchConditions');
  if (conditions.length === 0) return undefined;
  const cel = load('@kubewright/api/cel') as typeof import('@kubewright/api/cel');
  return new cel.MatchConditions(
    conditions.map((each) => ({ name: stringAt(each, 'name'), expression: stringAt(each, 'expression') })),
  );
}

/** Returns a function that computes the value on its first call. The compilation of expressions is slow. */
function onDemand<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => (computed ??= { value: compute() }).value;
}
