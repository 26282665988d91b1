/** The options of a marker `+kubebuilder:webhook` by name, such as `failurePolicy` and `verbs`. */
export type WebhookMarker = ReadonlyMap<string, string>;

const MARKER = /^\s*\/\/\s*\+kubebuilder:webhook:(.*)$/gm;

/** Returns the markers `+kubebuilder:webhook` of a Go source. Omits options without a value. */
export function webhookMarkersIn(source: string): readonly WebhookMarker[] {
  return [...source.matchAll(MARKER)].map(([, options = '']) => {
    const pairs = options.split(',').flatMap((option) => {
      const [, name = '', value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(option) ?? [];
      return name === '' ? [] : [[name, value.replace(/^["'`{]+|["'`}]+$/g, '')] as const];
    });
    return new Map(pairs);
  });
}

const OPERATIONS = ['create', 'update', 'delete'];

/** Returns the options of `@Defaulter` or `@Validator` that differ from the defaults. Omits options that the decorators do not have. */
export function decoratorOptions(marker: WebhookMarker): Readonly<Record<string, unknown>> {
  const verbs = (marker.get('verbs') ?? '').toLowerCase().split(';');
  const isMutating = marker.get('mutating') === 'true';
  const known = OPERATIONS.filter((each) => verbs.includes(each) || verbs.includes('*'));
  // A defaulter is not called on delete, because the request does not contain an object.
  const operations = isMutating ? known.filter((each) => each !== 'delete') : known;
  const isDefault = operations.length === 0 || operations.join() === 'create,update';
  const seconds = Number(marker.get('timeoutSeconds') ?? 10);
  const { failurePolicy, sideEffects, matchPolicy, reinvocationPolicy } = Object.fromEntries(
    [...marker].map(([name, value]) => [name, value.toLowerCase()]),
  );
  return {
    ...(!isDefault && { operations }),
    ...(failurePolicy === 'ignore' && { failurePolicy: 'Ignore' }),
    ...(sideEffects === 'noneondryrun' && { sideEffects: 'NoneOnDryRun' }),
    ...(seconds !== 10 && Number.isInteger(seconds) && { timeoutSeconds: seconds }),
    ...(matchPolicy === 'exact' && { matchPolicy: 'Exact' }),
    ...(isMutating && reinvocationPolicy === 'ifneeded' && { reinvocationPolicy: 'IfNeeded' }),
  };
}
