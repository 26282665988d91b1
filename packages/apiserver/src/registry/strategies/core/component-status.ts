import type { Strategy } from '../../definitions/strategy.js';
import { objectsAt, stringAt } from '../../objects/json-object.js';

/** The strategy for ComponentStatuses, which the server computes and does not store. */
export const componentStatusStrategy: Partial<Strategy> = {
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  cells: (component) => {
    const [condition] = objectsAt(component, 'conditions').filter(({ type }) => type === 'Healthy');
    const status = stringAt(condition, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
    return [component.metadata.name, status, stringAt(condition, 'message'), stringAt(condition, 'error')];
  },
};
