/** A measured webhook: its path, and the reviews that the API server sends to it. */
export interface MeasuredWebhook {
  readonly path: string;
  /** Returns the body of a request. */
  readonly body: (index: number) => string;
  /** Throws an error if the response is not what the webhook has to return. */
  readonly check: (response: string) => void;
}

const GROUP = 'bench.dev';
const USER = {
  username: 'system:serviceaccount:default:bench',
  groups: ['system:serviceaccounts', 'system:authenticated'],
};
/** The number of objects in a review of the conversion webhook, as in a list of the API server. */
export const LISTED = 100;

export const VALIDATOR: MeasuredWebhook = {
  path: '/validate-bench-dev-v1-gadget',
  body: (index) =>
    admissionReview(index, { operation: 'UPDATE', object: gadget('v1', index), oldObject: gadget('v1', index, 2) }),
  check: (response) => {
    const { allowed, patch } = answerOf(response);
    if (allowed !== true || patch !== undefined)
      throw new Error(`the validator does not admit the object: ${response}`);
  },
};
export const DEFAULTER: MeasuredWebhook = {
  path: '/mutate-bench-dev-v1-gadget',
  body: (index) => admissionReview(index, { operation: 'CREATE', object: gadget('v1', index), oldObject: null }),
  check: (response) => {
    const { patch } = answerOf(response);
    const operations = JSON.parse(Buffer.from(String(patch), 'base64').toString('utf8')) as readonly { path: string }[];
    const paths = operations.map(({ path }) => path).toSorted();
    const expected = ['/spec/containers/0/pullPolicy', '/spec/containers/1/pullPolicy', '/spec/strategy'];
    if (paths.join() !== expected.join()) throw new Error(`the defaulter does not set the defaults: ${response}`);
  },
};
export const CONVERTER: MeasuredWebhook = {
  path: '/convert',
  body: (index) =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: {
        uid: uidOf(index),
        desiredAPIVersion: `${GROUP}/v1`,
        objects: Array.from({ length: LISTED }, (_, at) => gadget('v1beta1', at)),
      },
    }),
  check: (response) => {
    const { convertedObjects } = answerOf(response);
    const replicas = convertedObjects?.map(({ apiVersion, spec }) => `${apiVersion} ${spec.replicas}`) ?? [];
    if (replicas.length !== LISTED || replicas.some((each) => each !== `${GROUP}/v1 3`)) {
      throw new Error(`the converter does not convert the objects: ${response}`);
    }
  },
};

interface Answer {
  readonly allowed?: boolean;
  readonly patch?: string;
  readonly convertedObjects?: readonly { readonly apiVersion: string; readonly spec: { readonly replicas?: number } }[];
}
function answerOf(response: string): Answer {
  return (JSON.parse(response) as { readonly response: Answer }).response;
}

function admissionReview(
  index: number,
  request: { readonly operation: string; readonly object: object; readonly oldObject: object | null },
): string {
  const kind = { group: GROUP, version: 'v1', kind: 'Gadget' };
  const resource = { group: GROUP, version: 'v1', resource: 'gadgets' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: uidOf(index),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: `object-${index}`,
      namespace: 'default',
      userInfo: USER,
      dryRun: false,
      options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'bench' },
      ...request,
    },
  });
}

function uidOf(index: number): string {
  return `705ab4f5-6393-11e8-b7cc-${String(index).padStart(12, '0')}`;
}

/** Returns an object of typical size (2 KB), with the metadata that a server sets. */
function gadget(version: 'v1' | 'v1beta1', index: number, replicas = 3): object {
  const container = (name: string): object => ({
    name,
    image: `registry.example.com/bench/${name}:1.27.${index % 10}`,
    args: ['--listen=:8080', '--log-level=info', `--shard=${index}`],
    env: ['REGION', 'ZONE', 'CLUSTER', 'TIER'].map((key) => ({ name: key, value: `${key.toLowerCase()}-${index}` })),
  });
  return {
    apiVersion: `${GROUP}/${version}`,
    kind: 'Gadget',
    metadata: {
      name: `object-${index}`,
      namespace: 'default',
      uid: uidOf(index),
      resourceVersion: String(100_000 + index),
      generation: 1,
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels: { 'app.kubernetes.io/name': 'bench', 'app.kubernetes.io/instance': `bench-${index}` },
      annotations: { 'bench.dev/owner': 'team-a' },
      managedFields: [managedFields(version, 'bench', { 'f:spec': FIELDS }), managedFields(version, 'kubectl', FIELDS)],
    },
    spec: {
      [version === 'v1' ? 'replicas' : 'instances']: replicas,
      maxReplicas: 5,
      paused: false,
      selector: { 'app.kubernetes.io/name': 'bench', 'app.kubernetes.io/instance': `bench-${index}` },
      containers: [container('server'), container('sidecar')],
    },
    status: {
      observedGeneration: 1,
      conditions: ['Ready', 'Available'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2030-01-01T00:00:00Z',
        reason: 'MinimumReplicasAvailable',
        message: 'the required number of replicas is available',
      })),
    },
  };
}

const FIELDS = { 'f:replicas': {}, 'f:maxReplicas': {}, 'f:paused': {}, 'f:selector': { '.': {} }, 'f:containers': {} };
function managedFields(version: string, manager: string, fieldsV1: object): object {
  const time = '2030-01-01T00:00:00Z';
  return { manager, operation: 'Update', apiVersion: `${GROUP}/${version}`, time, fieldsType: 'FieldsV1', fieldsV1 };
}
