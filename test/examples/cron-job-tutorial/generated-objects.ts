import { randomNumbers } from '@kubewright/testing';

/** A CronJob in one of its versions, as a client sends the CronJob: without defaults. */
export interface GeneratedCronJob {
  readonly apiVersion: string;
  readonly kind: 'CronJob';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const GROUP = 'batch.tutorial.kubebuilder.io';
const NAME_LENGTHS = [8, 8, 8, 20, 51, 52, 53, 63];
const V2_FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;

/** Values for each of the five fields of a schedule. Some values are not valid. */
const VALUES: readonly (readonly string[])[] = [
  ['*', '*', '0', '05', '*/15', '5-10', '0,30', '10/20', '*/15,7', '5,5', '59', '60', '1-70', 'x'],
  ['*', '*', '0', '9-17', '*/6', '22-2', '0,12', '?', '23/5', '24', '*/0', '-1'],
  ['*', '*', '1', '1,15', '*/10', '1-31/7', '31', '30', '?', '0', '32', 'L', '15W'],
  ['*', '*', '*', '1', 'jan', 'JAN-mar', '2', '12', '*/3', '13', 'foo', '1/2/3'],
  ['*', '*', '*', '0', 'mon-fri', 'Sun', '1,3,5', '6', '7', 'fri-mon', '1-2-3', '1#2'],
];
const DESCRIPTORS = [
  '@hourly',
  '@daily',
  '@midnight',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
  '@every 1h30m',
  '@every 1.5h',
  '@every 500ms',
  '@every 1s',
  '@every',
  '@every 10',
  '@every 1d',
  '@every 1h 30m',
  '@Hourly',
  '@reboot',
  '@hourly @daily',
];
const OTHERS = [
  '',
  ' ',
  'often',
  '* * * *',
  '* * * * * *',
  '0 0 0 0 0 0 0',
  'TZ=UTC * * * * *',
  '0 0,12 1 */2',
  '*,* * * * *',
];

/** Returns the CronJobs for the comparison with the tutorial, half in v1 and half in v2. Each call returns the same CronJobs. */
export function generatedObjects(count: number): readonly GeneratedCronJob[] {
  return generated(count, 'CronJobs of the tutorial');
}

/** Returns an update for each CronJob of `generatedObjects`, in the same order, with the same names and versions. */
export function generatedUpdates(count: number): readonly GeneratedCronJob[] {
  const specs = generated(count, 'updates of CronJobs of the tutorial');
  return generatedObjects(count).map((object, at) => ({ ...object, spec: specs[at]?.spec ?? object.spec }));
}

function generated(count: number, seed: string): readonly GeneratedCronJob[] {
  const random = randomNumbers(seed);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const maybe = (field: string, values: readonly unknown[]): object =>
    random() < 0.5 ? { [field]: oneOf(values) } : {};
  return Array.from({ length: count }, (_, at) => {
    const isV1 = at % 2 === 0;
    // Most values are '*', so that few objects have several invalid fields and each field decides the verdict of some objects.
    const fields = VALUES.map((values) => (random() < 0.45 ? oneOf(values) : '*'));
    return {
      apiVersion: `${GROUP}/${isV1 ? 'v1' : 'v2'}`,
      kind: 'CronJob',
      metadata: { name: nameOf(at, oneOf(NAME_LENGTHS)), namespace: 'default' },
      spec: {
        schedule: isV1 ? textOf(fields, random(), oneOf) : objectOf(fields, random),
        ...maybe('startingDeadlineSeconds', [0, 60, 4_000_000_000]),
        ...maybe('concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
        ...maybe('suspend', [true, false]),
        ...maybe('successfulJobsHistoryLimit', [0, 1, 3, 100]),
        ...maybe('failedJobsHistoryLimit', [0, 1, 3, 100]),
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } },
        },
      },
    };
  });
}

function nameOf(at: number, length: number): string {
  return `job-${at}-x`.padEnd(length, 'x');
}
function textOf(fields: readonly string[], chance: number, oneOf: (values: readonly string[]) => string): string {
  if (chance < 0.15) return oneOf(DESCRIPTORS);
  if (chance < 0.25) return oneOf(OTHERS);
  return fields.join(chance < 0.3 ? '  ' : ' ');
}
function objectOf(fields: readonly string[], random: () => number): Readonly<Record<string, string>> {
  const given = V2_FIELDS.map((name, at) => [name, fields[at] ?? '*'] as const);
  // Most clients omit fields that are '*'. Some clients write such fields.
  return Object.fromEntries(given.filter(([, value]) => value !== '*' || random() < 0.2));
}
