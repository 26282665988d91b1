import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, numberAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { notNegative } from '../../rules/field-checks.js';
import { portReferenceErrors } from './container-rules.js';
import { each, requiredErrors, supportedErrors } from './value-rules.js';

type Action = (action: JsonDraft, path: string) => readonly FieldError[];

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** Returns the errors of the probes and lifecycle hooks of a container or sidecar. `spec` is the spec of the Pod. */
export function hookErrors(container: JsonDraft, path: string, spec: JsonDraft): readonly FieldError[] {
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  const { lifecycle } = container as { lifecycle?: unknown };
  const hooks = isObject(lifecycle) ? lifecycle : {};
  return [
    ...['postStart', 'preStop'].flatMap((name) => {
      const hook = hooks[name];
      return isObject(hook) ? handlerErrors(hook, `${path}.lifecycle.${name}`, grace) : [];
    }),
    ...probeErrors(container['livenessProbe'], `${path}.livenessProbe`, { grace, once: true }),
    ...probeErrors(container['readinessProbe'], `${path}.readinessProbe`, { grace, once: false }),
    ...probeErrors(container['startupProbe'], `${path}.startupProbe`, { grace, once: true }),
  ];
}

function probeErrors(
  probe: unknown,
  path: string,
  { grace, once }: { readonly grace: number | undefined; readonly once: boolean },
): readonly FieldError[] {
  if (!isObject(probe)) return [];
  const errors = [...handlerErrors(probe, path, grace), ...notNegative(probe, path, ...counts)];
  const seconds = numberAt(probe, 'terminationGracePeriodSeconds');
  const at = `${path}.terminationGracePeriodSeconds`;
  if (seconds !== undefined && seconds <= 0) errors.push(fieldErrors.invalid(at, seconds, 'must be greater than 0'));
  if (!once) {
    if (seconds !== undefined) errors.push(fieldErrors.invalid(at, seconds, 'must not be set for readinessProbes'));
    return errors;
  }
  const successes = numberAt(probe, 'successThreshold');
  if (successes !== 1) errors.push(fieldErrors.invalid(`${path}.successThreshold`, successes, 'must be 1'));
  return errors;
}

function handlerErrors(handler: JsonDraft, path: string, grace: number | undefined): readonly FieldError[] {
  const actions: Readonly<Record<string, Action>> = {
    exec: (exec, at) => {
      const { command } = exec as { command?: unknown };
      return Array.isArray(command) && command.length > 0 ? [] : [fieldErrors.required(`${at}.command`)];
    },
    httpGet: httpGetErrors,
    tcpSocket: (socket, at) => portReferenceErrors(socket['port'], `${at}.port`),
    grpc: (call, at) => portReferenceErrors(call['port'], `${at}.port`),
    sleep: (sleep, at) => sleepErrors(sleep, at, grace),
  };
  const kinds = Object.keys(actions).filter((kind) => isObject(handler[kind]));
  if (kinds.length === 0) return [fieldErrors.required(path, 'must specify a handler type')];
  return kinds.flatMap((kind, index) =>
    index === 0
      ? (actions[kind]?.(handler[kind] as JsonDraft, `${path}.${kind}`) ?? [])
      : [fieldErrors.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type')],
  );
}

function httpGetErrors(get: JsonDraft, path: string): readonly FieldError[] {
  return [
    ...requiredErrors(get, path, ['path']),
    ...portReferenceErrors(get['port'], `${path}.port`),
    ...supportedErrors(get['scheme'], `${path}.scheme`, ['HTTP', 'HTTPS']),
    ...errorsOfEach(objectsAt(get, 'httpHeaders'), (header) =>
      each(stringAt(header, 'name'), `${path}.httpHeaders`, headerNameErrors),
    ),
  ];
}

function headerNameErrors(name: string): readonly string[] {
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
  const why = `${rule} (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`;
  return /^[-A-Za-z0-9]+$/.test(name) ? [] : [why];
}

function sleepErrors(sleep: JsonDraft, path: string, grace: number | undefined): readonly FieldError[] {
  const seconds = numberAt(sleep, 'seconds') ?? 0;
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return [fieldErrors.invalid(path, seconds, why)];
}
