import { age } from '../../objects/age.js';
import { autoscalerToV1, autoscalerToV2 } from './autoscaler-conversion.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, notNegative } from '../rules/field-checks.js';
import { autoscalerErrors } from './horizontal-pod-autoscaler-rules.js';

const shownMetrics = 2;

/** The strategy for HorizontalPodAutoscalers of both versions. By default, minReplicas is 1 and the target is 80 % CPU utilization. */
export const horizontalPodAutoscalerStrategy: Partial<Strategy> = {
  ownRules: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    fill(spec, { minReplicas: 1 });
    spec['maxReplicas'] ??= 0;
    fill(madeAt(spec, 'scaleTargetRef'), {});
    if (draft.apiVersion === 'autoscaling/v1') {
      // Fields that are unset in v1 get the defaults of v2.
      const { metadata, spec: full } = autoscalerToV1(autoscalerToV2(draft));
      Object.assign(draft, { metadata, spec: full });
      return;
    }
    if (objectsAt(spec, 'metrics').length === 0) {
      const target = { type: 'Utilization', averageUtilization: 80 };
      spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    }
    if (isObject(spec['behavior'])) defaultBehavior(spec['behavior']);
  },
  prepareForCreate: (draft) => {
    draft['status'] =
      draft.apiVersion === 'autoscaling/v1'
        ? { currentReplicas: 0, desiredReplicas: 0 }
        : { currentMetrics: null, desiredReplicas: 0 };
  },
  prepareForStatusUpdate: (draft) => {
    const status = madeAt(draft, 'status');
    status['desiredReplicas'] ??= 0;
    if (draft.apiVersion === 'autoscaling/v1') status['currentReplicas'] ??= 0;
    else status['currentMetrics'] ??= null;
  },
  validate: (autoscaler) => autoscalerErrors(autoscalerToV2(autoscaler)),
  validateUpdate: (next, old) => autoscalerErrors(autoscalerToV2(next), autoscalerToV2(old)),
  validateStatusUpdate: (next) => notNegative(objectAt(next, 'status'), 'status', 'currentReplicas', 'desiredReplicas'),
  cells: autoscalerCells,
};

function defaultBehavior(behavior: JsonDraft): void {
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  const up = madeAt(behavior, 'scaleUp');
  fill(up, { stabilizationWindowSeconds: 0, selectPolicy: 'Max' });
  up['policies'] ??= [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent];
  const down = madeAt(behavior, 'scaleDown');
  fill(down, { selectPolicy: 'Max' });
  down['policies'] ??= [percent];
}

/** Returns the table row: name, reference, targets, minReplicas, maxReplicas, replicas and age. */
function autoscalerCells(object: ApiObject, now: Date): readonly unknown[] {
  const autoscaler = autoscalerToV2(object);
  const { kind, name } = objectAt(autoscaler, 'spec', 'scaleTargetRef');
  return [
    autoscaler.metadata.name,
    `${String(kind)}/${String(name)}`,
    metricsText(autoscaler),
    String(numberAt(autoscaler, 'spec', 'minReplicas') ?? '<unset>'),
    numberAt(autoscaler, 'spec', 'maxReplicas') ?? 0,
    numberAt(autoscaler, 'status', 'currentReplicas') ?? 0,
    age(autoscaler.metadata.creationTimestamp, now),
  ];
}

function metricsText(autoscaler: ApiObject): string {
  const metrics = objectsAt(autoscaler, 'spec', 'metrics');
  if (metrics.length === 0) return '<none>';
  const current = objectsAt(autoscaler, 'status', 'currentMetrics');
  const texts = metrics.map((metric, index) => metricText(metric, current[index]));
  const shown = texts.slice(0, shownMetrics).join(', ');
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown;
}

function metricText(metric: JsonDraft, status: JsonDraft | undefined): string {
  const type = stringAt(metric, 'type');
  const source = type.slice(0, 1).toLowerCase() + type.slice(1);
  const target = objectAt(metric, source, 'target');
  const current = objectAt(status, source, 'current');
  const measured = (field: string): string => String(current[field] ?? '<unknown>');
  switch (type) {
    case 'Resource':
    case 'ContainerResource':
      return `${stringAt(metric, source, 'name')}: ${resourceText(target, current)}`;
    case 'Pods':
      return `${measured('averageValue')}/${String(target['averageValue'])}`;
    case 'Object':
    case 'External':
      if (target['averageValue'] === undefined) return `${measured('value')}/${String(target['value'])}`;
      return `${measured('averageValue')}/${String(target['averageValue'])} (avg)`;
    default:
      return '<unknown type>';
  }
}

function resourceText(target: JsonDraft, current: JsonDraft): string {
  if (target['averageValue'] !== undefined) {
    return `${String(current['averageValue'] ?? '<unknown>')}/${String(target['averageValue'])}`;
  }
  const measured = valueAt(current, 'averageUtilization');
  const desired = valueAt(target, 'averageUtilization');
  const shown = (value: unknown, otherwise: string): string => (value === undefined ? otherwise : `${String(value)}%`);
  return `${shown(measured, '<unknown>')}/${shown(desired, '<auto>')}`;
}
