import { createHash } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { Door } from './door.js';

/** The secrets of the tests. PLAIN needs no escaping in any format. SPECIAL contains characters that each format escapes differently. */
export const PLAIN = 'c4naryS3cretV4lue';
export const SPECIAL = 'c4nary"S3cret\\V4lue & x';
const NUMBER = 47_110_471_104_711;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Texts that no output may contain. */
const NEEDLES = [
  'c4nary',
  'V4lue',
  String(NUMBER),
  ...[PLAIN, SPECIAL, `app:${PLAIN}`].map((text) => base64(text).slice(0, 12)),
];

/** Returns the parts of the secrets that an output contains. */
export function hitsIn(output: string): readonly string[] {
  return NEEDLES.filter((needle) => output.includes(needle));
}

/** Returns a text between two marks. An output must contain both marks. */
export function marked(name: string, text: string): string {
  return `mark-${markOf(name)}-begins ${text} mark-${markOf(name)}-ends`;
}
/** Returns the mark of a form. */
export function markOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8);
}

const patch = (path: string, value: unknown): object => ({ op: 'add', path, value });

/** Texts with a secret in a form that reveals the secret, such as a URL with a password. */
export const TEXTS: Readonly<Record<string, string>> = {
  'password= within a text': `dial db: host=db password=${PLAIN} sslmode=off`,
  'rootPass as JSON': JSON.stringify({ spec: { rootPass: SPECIAL } }),
  'rootPass as a number in JSON': JSON.stringify({ spec: { rootPass: NUMBER } }),
  'apiToken as a number in YAML': `spec:\n  apiToken: ${NUMBER}\n`,
  'connectionString as JSON within JSON': JSON.stringify(JSON.stringify({ connectionString: SPECIAL })),
  'a URL with credentials': `dial postgres://app:${PLAIN}@db:5432/app`,
  'an encoded URL with credentials': `GET /?to=${encodeURIComponent(`https://app:${PLAIN}@db/a`)}`,
  'an Authorization header': `sent Authorization: Bearer ${PLAIN}.${PLAIN}`,
  'an Authorization header as JSON': JSON.stringify({ headers: { authorization: `Basic ${base64(`app:${PLAIN}`)}` } }),
  'a Secret with data': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', data: { dsn: base64(PLAIN) } }),
  'an escaped Secret with stringData': JSON.stringify(JSON.stringify({ kind: 'Secret', stringData: { dsn: SPECIAL } })),
  'a Secret as YAML': `kind: Secret\ndata:\n  dsn: ${base64(PLAIN)}\ntype: Opaque`,
  'a JSON patch': JSON.stringify([patch('/spec/rootPass', SPECIAL)]),
  'a JSON patch of data': JSON.stringify([patch('/data/dsn', base64(PLAIN)), patch('/stringData/dsn', SPECIAL)]),
  'a JSON patch with another order of members': `[ { "value" : "${PLAIN}",\n "path":"/data/a", "op": "add" } ]`,
  'a JSON patch within JSON': JSON.stringify({ body: JSON.stringify([patch('/spec/rootPass', SPECIAL)], null, 2) }),
  'a JSON patch within JSON within JSON': JSON.stringify(JSON.stringify(JSON.stringify([patch('/data/a', SPECIAL)]))),
  'an object below a secret name': JSON.stringify({ credentials: { user: PLAIN, pin: SPECIAL } }),
  'an object below a secret name within JSON': JSON.stringify(JSON.stringify({ password: { value: { a: SPECIAL } } })),
  'a list of objects below a secret name': JSON.stringify({
    tokens: [{ name: 'a', value: SPECIAL }, { value: PLAIN }],
  }),
  'an object as Node.js prints it': `{ credentials: { user: '${PLAIN}', pins: [ ${NUMBER} ] } }`,
  'a flow mapping of YAML': `credentials: {user: ${PLAIN}, pins: [${PLAIN}]}`,
  'a map in YAML': `spec:\n  credentials:\n    user: ${PLAIN}\n    pin: ${NUMBER}\n`,
  'a list of maps in YAML': `spec:\n  tokens:\n  - name: a\n    value: ${PLAIN} and ${PLAIN}\n`,
  'a multi-line string in YAML': `spec:\n  password: |\n    these are words ${PLAIN}\n    ${PLAIN}\n`,
  'a JSON patch in YAML': `- op: add\n  path: /spec/rootPass\n  value: ${PLAIN}\n`,
  'a variable in YAML': `env:\n  - name: DB_PASSWORD\n    value: ${PLAIN}\n`,
  'YAML within JSON': JSON.stringify({ data: { a: `spec:\n  credentials:\n    user: ${PLAIN}\n` } }),
  'an error about a field': `Door "a" is invalid: spec.rootPass: Invalid value: ${JSON.stringify(SPECIAL)}: too short`,
  // In an output, everything after this form is masked, so this form is the last one.
  'a truncated object below a secret name': JSON.stringify({ credentials: { user: 'a', pin: SPECIAL } }).slice(0, -3),
};

/** Texts with a secret that is recognizable only after a program has read the Secret or the object that contains the secret. */
export const KNOWN_TEXTS: Readonly<Record<string, string>> = {
  'a value of a Secret within a sentence': `login with ${PLAIN} was refused`,
  'a value of a Secret in base64': `login with ${base64(PLAIN)} was refused`,
  'a password field within a sentence': `the code ${SPECIAL} was refused`,
  'a password field within JSON': JSON.stringify({ code: SPECIAL }),
  'a password field within a URL': `GET /open?code=${encodeURIComponent(SPECIAL)}`,
};

const metadata = (name: string) => ({ name, namespace: 'default' });

/** Objects with a secret in a field. The name of each object is `object-` followed by a word that outputs must contain. */
export const OBJECTS: Readonly<Record<string, KubeObject>> = {
  'the data of a Secret': new Secret({ metadata: metadata('object-data'), data: { dsn: base64(PLAIN) } }),
  'the stringData of a Secret': new Secret({ metadata: metadata('object-string'), stringData: { dsn: SPECIAL } }),
  "a field with format: 'password'": new Door({ metadata: metadata('object-pin'), spec: { pin: SPECIAL } }),
  "a list of fields with format: 'password'": new Door({
    metadata: metadata('object-codes'),
    spec: { codes: [SPECIAL, PLAIN] },
  }),
  'a field rootPass': new Door({ metadata: metadata('object-root'), spec: { rootPass: SPECIAL } }),
  'a field connectionString': new Door({
    metadata: metadata('object-connection'),
    spec: { connectionString: SPECIAL },
  }),
  'an object below a secret name': new Door({
    metadata: metadata('object-object'),
    spec: { credentials: { code: PLAIN, keys: [{ code: SPECIAL }] } },
  }),
  'a list below a secret name': new Door({
    metadata: metadata('object-list'),
    spec: {
      tokens: [
        { name: 'a', code: SPECIAL },
        { name: 'b', code: PLAIN },
      ],
    },
  }),
  'a URL with credentials': new ConfigMap({
    metadata: metadata('object-url'),
    data: { dsn: `postgres://app:${PLAIN}@db/a` },
  }),
  'a YAML document in a ConfigMap': new ConfigMap({
    metadata: metadata('object-yaml'),
    data: { 'a.yaml': `spec:\n  password:\n    value: ${PLAIN}\n  tokens: [${PLAIN}]\n` },
  }),
  'a JSON patch in a ConfigMap': new ConfigMap({
    metadata: metadata('object-patch'),
    data: { patch: JSON.stringify([patch('/spec/rootPass', SPECIAL), patch('/data/dsn', PLAIN)]) },
  }),
  'a variable of a container': new Deployment({
    metadata: metadata('object-variable'),
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'a', image: 'a', env: [{ name: 'DB_PASSWORD', value: SPECIAL }] }] },
      },
    },
  }),
  'the last applied configuration': new Door({
    metadata: {
      ...metadata('object-applied'),
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: { pin: SPECIAL } }) },
    },
    spec: { pin: PLAIN },
  }),
};
