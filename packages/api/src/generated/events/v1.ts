// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import { definitions } from './v1-definitions.js';

export interface Event extends KubeObject {
  readonly apiVersion: 'events.k8s.io/v1';
  readonly kind: 'Event';
  readonly action?: string | undefined;
  readonly deprecatedCount?: number | undefined;
  readonly deprecatedFirstTimestamp?: string | undefined;
  readonly deprecatedLastTimestamp?: string | undefined;
  readonly deprecatedSource?: core_v1.EventSource | undefined;
  readonly eventTime: string;
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  readonly regarding?: core_v1.ObjectReference | undefined;
  readonly related?: core_v1.ObjectReference | undefined;
  readonly reportingController?: string | undefined;
  readonly reportingInstance?: string | undefined;
  readonly series?: EventSeries | undefined;
  readonly type?: string | undefined;
}
export const Event: BuiltInKind<Event> = /* @__PURE__ */ builtInKind(definitions, 'Event');

export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}
export const EventSeries: BuiltInPart<EventSeries> = /* @__PURE__ */ builtInPart(definitions, 'EventSeries');
