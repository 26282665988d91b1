import { KubewrightError, valueText } from '@kubewright/api/errors';

/** Returns the port that an option sets, or otherwise the default. Throws INVALID_SERVING_OPTIONS for an invalid port. */
export function listenPort(option: string, port: number | undefined, whenUnset: number): number {
  if (port === undefined) return whenUnset;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new KubewrightError(
    'INVALID_SERVING_OPTIONS',
    `${option} is ${valueText(port)}: use an integer from 0 to 65535`,
  );
}
