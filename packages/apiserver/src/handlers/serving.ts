import type { Clock } from '@kubewright/api/clock';
import type { Authenticator } from '../authentication/authenticator.js';
import type { ServiceAccountTokens } from '../authentication/service-account-tokens.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { SimulatedPods } from '../controllers/simulation/simulated-pods.js';
import type { Registry } from '../registry/registry.js';
import type { Store } from '../storage/store.js';
import type { Encoding } from './answers/accept.js';
import type { ItemTexts } from './answers/item-texts.js';
import type { EventEncoder } from './watch/event-encoder.js';
import type { ClockWaits } from './clock-waits.js';
import type { ServerMetrics } from './metrics/server-metrics.js';
import type { FaultGate } from './faults/fault-gate.js';
import type { ProtobufBodies } from './protobuf/protobuf-body.js';
import type { ProtobufWriter } from './protobuf/protobuf-writer.js';
import type { VersionWaits } from './watch/version-waits.js';
import type { WatchHub } from './watch/watch-hub.js';

/** The components that handlers use. Each server has its own components. */
export interface Serving {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  /** What the simulated Pods do. */
  readonly simulated: SimulatedPods;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly accountTokens: ServiceAccountTokens;
  readonly faults: FaultGate;
  /** Returns the metrics. The first call loads them, so that they do not delay the start of the server. */
  readonly metrics: () => Promise<ServerMetrics>;
  readonly watches: WatchHub;
  readonly waits: VersionWaits;
  readonly clockWaits: ClockWaits;
  /** The encoders of watch events by the format of the watch. */
  readonly events: Readonly<Record<Exclude<Encoding, 'yaml'>, EventEncoder>>;
  readonly itemTexts: ItemTexts;
  readonly protobuf: ProtobufBodies;
  readonly protobufWriter: ProtobufWriter;
  /** Returns the host and port of the server, for legacy discovery and for the discovery of token keys. */
  readonly address: () => string;
}
