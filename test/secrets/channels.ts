import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { inspect } from 'node:util';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { compareDefinitions } from '@kubewright/api/crd-compatibility';
import { crdFor, objectSchemaOf } from '@kubewright/api/metadata';
import { ObjectLines } from '@kubewright/cli';
import { HealthServer, Metrics, PinoLogger, RequestLog } from '@kubewright/runtime';
import { fieldChanges, SilentLogger, Transport } from '@kubewright/runtime/internal';
import { certificateLog } from './certificate-log.js';
import { Door } from './door.js';
import { marked, TEXTS } from './forms.js';
import { DoorRuns } from './door-runs.js';

type OfText = (text: string) => Promise<string>;
type OfObject = (object: KubeObject) => Promise<string>;

const spans = new InMemorySpanExporter();
let runs: DoorRuns;
let echo: Server;

export async function openChannels(): Promise<void> {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  runs = await DoorRuns.start(spans);
  echo = await echoServer();
}
export async function closeChannels(): Promise<void> {
  await runs[Symbol.asyncDispose]();
  echo.closeAllConnections();
  echo.close();
  api.trace.disable();
  api.context.disable();
}

/** Outputs of a text outside of a reconcile. These outputs mask only credentials that are recognizable by the form of the text. */
export const CHANNELS_OF_TEXT: Readonly<Record<string, OfText>> = {
  'default logger at level debug': async (text) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = await PinoLogger.create({ level: 'debug', format: 'json', destination });
    logger.debug(text, { text, error: new Error(text, { cause: text }), texts: [text, { text }] });
    return lines.join('');
  },
  'default logger in pretty format': async (text) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = await PinoLogger.create({ level: 'debug', format: 'pretty', destination });
    logger.error(text, { text, error: new Error(text, { cause: new Error(text) }) });
    return lines.join('');
  },
  'error of a refused write': (text) => refusalOf({ path: '/api/v1/namespaces/a/configmaps', message: text }),
  'error of a refused write of a Secret': (text) => refusalOf({ path: '/api/v1/namespaces/a/secrets', message: text }),
  'error of an answer that is not a Status': (text) => refusalOf({ path: '/plain', message: text }),
  'error of an answer that is not JSON': (text) => refusalOf({ path: '/accepted', message: text }),
  'answer of a health check': async (text) => {
    const readiness = [{ name: 'canary', check: () => Promise.reject(new Error(text)) }];
    const using = { clock: new SystemClock(), logger: new SilentLogger() };
    await using health = new HealthServer({ port: 0, host: '127.0.0.1', readiness }, using);
    await health.listen();
    return (await fetch(`http://127.0.0.1:${health.address?.port}/readyz/canary`)).text();
  },
  'metrics text': async (text) => {
    const metrics = new Metrics({ process: false });
    metrics.client(text);
    metrics.controller(text);
    return metrics.text();
  },
  'error of the CLI with --verbose': async (text) => {
    const { reportError } = await cliModule('command/report-error.js');
    const { plain } = await cliModule('command/styles.js');
    const lines: string[] = [];
    const output = { errorStyles: plain, error: (line: string) => void lines.push(line) };
    reportError(new Error(text, { cause: new Error(text) }), { output, verbose: true });
    return lines.join('\n');
  },
  'notes and errors of the CLI': async (text) => {
    const { Output } = await cliModule('command/output.js');
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const output = new Output({ stdout: stream, stderr: stream, env: {} });
    output.note(`warning: ${text}`);
    output.error(text);
    return lines.join('');
  },
  'finding of kubewright doctor': async (text) => {
    const { ok, warning, wrong, refused, doubtful } = await cliModule('doctor/finding.js');
    const findings = [ok('a', text), warning('a', text, 'b'), wrong('a', text, 'b'), doubtful('a', text)];
    return [...findings, refused('a', new Error(text))].map(({ found, remedy }) => `${found}; ${remedy}`).join('\n');
  },
  'error of the webhook certificates of another operator': (text) =>
    certificateLog({ name: 'certificates', operator: text, data: {} }),
  'request log with a body that is text': async (message) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = await PinoLogger.create({ level: 'debug', format: 'json', destination });
    await refusalOf({ path: '/plain', message, observers: [new RequestLog({ logger, maxBodyBytes: 100_000 })] });
    return lines.join('');
  },
  ...Object.fromEntries(
    (['manager', 'child of the CLI'] as const).flatMap((parent) =>
      (['error', 'rejection', 'frozen error', 'string', 'object'] as const).map((thrown) => [
        `crash report of a ${parent} for the failure '${thrown}'`,
        () => crashReport(parent, thrown),
      ]),
    ),
  ),
};

/** Outputs of a single-line text outside of a reconcile. */
export const CHANNELS_OF_LINES: Readonly<Record<string, OfText>> = {
  'handler of warnings of the API server': async (text) => {
    const warnings: string[] = [];
    const { port } = echo.address() as AddressInfo;
    const onWarning = (warning: string): void => void warnings.push(warning);
    await using transport = new Transport({ server: `http://127.0.0.1:${port}` }, { warnings: onWarning });
    await transport.request({ method: 'GET', path: '/warned', query: { message: text }, attempted: 'read' });
    return warnings.join('\n');
  },
};

/** Outputs of a text in a reconcile that has read a Secret, for an object with a secret field. */
export const CHANNELS_IN_A_RUN: Readonly<Record<string, OfText>> = {
  'default logger in a reconcile': async (text) => (await runs.outputsOf(text)).ownLog,
  'pino instance of the program at level trace': async (text) => (await runs.outputsOf(text)).pinoLog,
  'event with note and annotations': async (text) => (await runs.outputsOf(text)).events,
  'condition of a failed reconcile': async (text) => (await runs.outputsOf(text)).conditions,
  'OpenTelemetry spans': async (text) => (await runs.outputsOf(text)).spans,
  'output of run --plan as JSON': async (text) => JSON.stringify((await runs.outputsOf(text)).plan),
  'output of run --plan as text': async (text) => planText((await runs.outputsOf(text)).plan),
};

/** Outputs of an object, or of a part of an object. */
export const CHANNELS_OF_OBJECTS: Readonly<Record<string, OfObject>> = {
  'fields of a plan as JSON': async (object) =>
    `${object.metadata.name} ${JSON.stringify(fieldChanges(undefined, object, schemaOf(object)))}`,
  'fields of a plan as text': async (object) => {
    const about = { apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name };
    const changes = fieldChanges(without(object), object, schemaOf(object));
    const write = { verb: 'update' as const, object: about, result: 'changed' as const, changes };
    return planText({ controller: 'c', object: 'o', writes: [write], events: [], outcome: { kind: 'done' } });
  },
  'log of webhook certificates that are not valid': (object) => {
    const value = Buffer.from(JSON.stringify(object)).toString('base64');
    const data = Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt', 'ca.key', 'other'].map((key) => [key, value]));
    return certificateLog({ name: object.metadata.name, operator: 'shop', data });
  },
  'default logger': async (object) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = await PinoLogger.create({ level: 'debug', format: 'json', destination });
    logger.info('an object', { object, list: [object] });
    return lines.join('');
  },
  'request log with bodies': async (object) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = await PinoLogger.create({ level: 'debug', format: 'json', destination });
    const log = new RequestLog({ logger, maxBodyBytes: 100_000 });
    await refusedBy(object, { observers: [log] });
    return lines.join('');
  },
  'error of a refused create': (object) => refusedBy(object),
  'error of a refused merge patch': (object) => refusedBy(object, { method: 'PATCH' }),
  'line of kubewright dev': async (object) => {
    const lines = new ObjectLines();
    lines.show([crdFor(Door)]);
    return String(lines.of({ ...object, metadata: { ...object.metadata, uid: 'u' } }));
  },
  'kubewright diff of a default': async (object) => {
    const before = crdFor(Door);
    const schema = structuredClone(before.spec.versions[0]!.schema!.openAPIV3Schema!) as SpecSchema;
    const spec = { ...(object as { readonly spec?: object }).spec };
    schema.properties.spec.default = spec;
    for (const [name, value] of Object.entries(spec)) {
      if (schema.properties.spec.properties[name] !== undefined)
        schema.properties.spec.properties[name].default = value;
    }
    const versions = [{ ...before.spec.versions[0]!, schema: { openAPIV3Schema: schema } }];
    const changed = { ...before, spec: { ...before.spec, versions } };
    const { reportLines } = await cliModule('diff/diff-report.js');
    const { plain } = await cliModule('command/styles.js');
    const findings = [...compareDefinitions([before], [changed]), ...compareDefinitions([changed], [before])];
    return [object.metadata.name, ...reportLines(findings, { against: 'a', styles: plain })].join('\n');
  },
};

interface SpecSchema {
  readonly properties: {
    readonly spec: { default?: unknown; readonly properties: Record<string, { default?: unknown }> };
  };
}

interface Finding {
  readonly found: string;
  readonly remedy?: string;
}
interface CliModules {
  readonly 'command/report-error.js': { readonly reportError: (error: unknown, context: object) => void };
  readonly 'command/styles.js': { readonly plain: object };
  readonly 'command/output.js': {
    readonly Output: new (options: object) => { note(text: string): void; error(text: string): void };
  };
  readonly 'doctor/finding.js': Readonly<
    Record<'ok' | 'doubtful' | 'warning' | 'wrong', (check: string, found: string, remedy?: string) => Finding>
  > & { readonly refused: (check: string, error: Error) => Finding };
  readonly 'diff/diff-report.js': {
    readonly reportLines: (findings: readonly object[], options: object) => readonly string[];
  };
  readonly 'plan/print-plan.js': { readonly printPlan: (output: object, plan: object) => void };
}
/** Imports a compiled module of the package cli that the package does not export. */
function cliModule<K extends keyof CliModules>(path: K): Promise<CliModules[K]> {
  return import(new URL(`../../../packages/cli/dist/${path}`, import.meta.url).href) as Promise<CliModules[K]>;
}
async function planText(plan: object): Promise<string> {
  const { printPlan } = await cliModule('plan/print-plan.js');
  const { plain } = await cliModule('command/styles.js');
  const lines: string[] = [];
  printPlan({ styles: plain, line: (line: string) => void lines.push(line) }, plan);
  return lines.join('\n');
}

function schemaOf({ kind }: KubeObject) {
  return kind === 'Door' ? objectSchemaOf(Door) : undefined;
}
/** Returns a copy of the object with other secret values. */
function without(object: KubeObject): object {
  return JSON.parse(JSON.stringify(object).replaceAll('c4nary', 'other4')) as object;
}

/** Starts a server that rejects every request with the message in the query, or with the request body, like a webhook. */
async function echoServer(): Promise<Server> {
  const server = createServer((request, response) => void refuse(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
async function refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost');
  const message = searchParams.get('message') ?? echoed(body);
  const causes = [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(body)}: no`, field: 'spec.pin' },
    { reason: 'FieldValueInvalid', message, field: 'metadata.name' },
  ];
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Invalid', code: 422 };
  if (pathname === '/warned') {
    const warning = `299 - ${JSON.stringify(message)}`;
    response.writeHead(200, { 'content-type': 'application/json', warning }).end('{}');
    return;
  }
  response.writeHead(pathname === '/accepted' ? 200 : 422, { 'content-type': 'application/json' });
  const answer = { ...status, message, echo: { body, message }, details: { name: 'x', causes } };
  response.end(['/plain', '/accepted'].includes(pathname) ? message : JSON.stringify(answer));
}
/** Returns the body, each text in the body, and each base64-decoded text. */
function echoed(body: string): string {
  const texts: string[] = [];
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value, Buffer.from(value, 'base64').toString('utf8'));
    return value;
  });
  const isPrintable = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);
  return [body, ...texts.filter(isPrintable)].join(' ; ');
}

/** Returns all visible representations of the error of a request. */
async function shownError(send: (transport: Transport) => Promise<unknown>, options: object = {}): Promise<string> {
  const { port } = echo.address() as AddressInfo;
  await using transport = new Transport({ server: `http://127.0.0.1:${port}` }, options);
  try {
    await send(transport);
  } catch (error) {
    const { message, stack, cause, body } = error as Error & { readonly body?: unknown };
    const wrapped = new Error('wrapped', { cause: error });
    return [message, stack, inspect(error), inspect(wrapped), inspect(cause), ...[error, body].map(asJson)].join('\n');
  }
  throw new Error('the server did not reject the request');
}
function asJson(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
function refusalOf({ path, message, ...options }: Refusal): Promise<string> {
  return shownError((transport) => transport.request({ method: 'POST', path, query: { message }, body: {} }), options);
}
interface Refusal {
  readonly path: string;
  readonly message: string;
  readonly observers?: readonly RequestLog[];
}
async function refusedBy(
  object: KubeObject,
  {
    method = 'POST',
    ...options
  }: { readonly method?: 'POST' | 'PATCH'; readonly observers?: readonly RequestLog[] } = {},
): Promise<string> {
  const plural = { Secret: 'secrets', Door: 'doors', ConfigMap: 'configmaps', Deployment: 'deployments' }[object.kind];
  const prefix = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
  const path = `${prefix}/namespaces/default/${plural}`;
  const { apiVersion: _, kind: __, ...patch } = object;
  const body = method === 'PATCH' ? patch : object;
  const request = { method, path, body, schema: schemaOf(object), attempted: `write ${object.metadata.name}` };
  return shownError((transport) => transport.request(request), options);
}

type Thrown = 'error' | 'rejection' | 'frozen error' | 'string' | 'object';
const THROWS: Readonly<Record<Thrown, string>> = {
  error: `setImmediate(() => { throw Object.assign(new Error(text, { cause: new Error(text) }), { text, inner: { text } }); });`,
  rejection: `Promise.reject(new AggregateError([new Error(text)], 'several'));`,
  'frozen error': `setImmediate(() => { throw Object.freeze(new Error(text)); });`,
  string: `Promise.reject(text);`,
  object: `setImmediate(() => { throw { text }; });`,
};

type Parent = 'manager' | 'child of the CLI';
const reports = new Map<string, Promise<string>>();

/** Returns the output of a process that ends with an error that contains all texts. One process covers all forms. */
function crashReport(parent: Parent, thrown: Thrown): Promise<string> {
  const id = `${parent} ${thrown}`;
  const all = Object.entries(TEXTS).map(([name, text]) => marked(name, text));
  const report = reports.get(id) ?? crashed(parent, thrown, all.join('\n'));
  reports.set(id, report);
  return report;
}
/** Starts a process that fails, and returns its output. The text is in a variable, because the printed source code would reveal it. */
async function crashed(parent: Parent, thrown: Thrown, text: string): Promise<string> {
  const start = `
    const { Manager } = await import('@kubewright/runtime');
    const connection = { server: 'http://127.0.0.1:9' };
    void new Manager({ connection, settings: false, metrics: false, health: false }).start();`;
  const source = `const text = process.env.CRASH_TEXT; ${parent === 'manager' ? start : ''} ${THROWS[thrown]}`;
  const withParent = new URL('../../../packages/cli/dist/run/with-parent.js', import.meta.url).href;
  const flags = parent === 'manager' ? [] : ['--import', withParent];
  const args = [...flags, '--input-type=module', '--eval', source];
  const cwd = new URL('../../..', import.meta.url);
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, CRASH_TEXT: text, KUBEWRIGHT_LOG_LEVEL: 'silent' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 1 ? output : `ended with exit code ${String(code)}: ${output}`;
}
