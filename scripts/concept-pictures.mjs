// Generates the SVG pictures of docs/concepts and docs/architecture.md from the descriptions below. After you change a description, run
// `node scripts/concept-pictures.mjs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * The pictures by file name. Each picture is a grid of boxes, `[column, row, text, second line, style]`, with arrows, `[from, to, label]`.
 * `folder` is the folder of the picture (default: docs/concepts).
 */
const pictures = {
  kinds: {
    title: 'One class and its uses',
    boxes: {
      class: [0, 1, '@Kind class', 'fields and decorators', 'own'],
      metadata: [1, 1, 'metadata', 'one description'],
      compiler: [1, 0, 'TypeScript', 'types of its objects'],
      crd: [2, 0, 'definition', 'kubewright generate'],
      defaults: [2, 1, 'new Website(…)', 'with defaults'],
      client: [2, 2, 'client and cache', 'path, plural, scope'],
      server: [3, 0, 'API server', 'validates each write', 'server'],
    },
    arrows: [
      ['class', 'compiler', ''],
      ['class', 'metadata', ''],
      ['metadata', 'crd', ''],
      ['metadata', 'defaults', ''],
      ['metadata', 'client', ''],
      ['crd', 'server', ''],
    ],
  },
  cache: {
    title: 'Objects from the API server to the cache and its readers',
    boxes: {
      server: [0, 0, 'API server', '', 'server'],
      reflector: [1, 0, 'informer', 'list, then watch'],
      store: [2, 0, 'store', 'objects, indexes'],
      handlers: [3, 0, 'controllers', 'changes, in order'],
      writes: [2, 1, 'own writes', 'until the watch reports'],
      client: [3, 1, 'client', 'get, find, list', 'own'],
    },
    arrows: [
      ['server', 'reflector', ''],
      ['reflector', 'store', ''],
      ['store', 'handlers', ''],
      ['store', 'client', ''],
      ['writes', 'client', ''],
    ],
  },
  queue: {
    title: 'The states of a key in the queue',
    boxes: {
      change: [0, 0, 'a change', 'or enqueue'],
      timer: [0, 2, 'a delay', 'back-off, requeue, every'],
      ready: [1, 1, 'ready', 'by priority, then in order'],
      work: [2, 1, 'in progress', 'one worker per key', 'own'],
      done: [3, 1, 'done', 'no state is kept'],
    },
    arrows: [
      ['change', 'ready', ''],
      ['timer', 'ready', 'ends'],
      ['ready', 'work', ''],
      ['work', 'done', ''],
      ['work', 'timer', 'requeue'],
    ],
  },
  reconcile: {
    title: 'From a change to a reconcile and its writes',
    boxes: {
      change: [0, 1, 'change', 'object, child, reference'],
      filter: [1, 1, 'filter', 'own write, predicate'],
      queue: [2, 1, 'queue', 'key and causes'],
      result: [3, 0, 'Result or error', 'time of the next run'],
      reconcile: [3, 1, 'reconcile', 'object from the cache', 'own'],
      writes: [3, 2, 'client', 'apply, patchStatus', 'own'],
      server: [1, 2, 'API server', '', 'server'],
    },
    arrows: [
      ['change', 'filter', ''],
      ['filter', 'queue', 'pass'],
      ['queue', 'reconcile', ''],
      ['reconcile', 'result', ''],
      ['result', 'queue', 'timer'],
      ['reconcile', 'writes', ''],
      ['writes', 'server', ''],
      ['server', 'change', 'watch'],
    ],
  },
  ownership: {
    title: 'An owner and its children',
    boxes: {
      owner: [0, 1, 'Website web', 'uid 7f3a', 'own'],
      deployment: [2, 0, 'Deployment web', 'label, owner reference'],
      service: [2, 1, 'Service web', 'label, owner reference'],
      stranger: [2, 2, 'ConfigMap web', 'by another client', 'server'],
    },
    arrows: [
      ['deployment', 'owner', 'controlled by 7f3a'],
      ['service', 'owner', 'controlled by 7f3a'],
      ['owner', 'stranger', 'NOT_OWNED'],
    ],
  },
  apply: {
    title: 'One object and the managers of its fields',
    boxes: {
      operator: [0, 0, 'controller website', 'client.apply', 'own'],
      autoscaler: [0, 1, 'an autoscaler', 'writes replicas'],
      person: [0, 2, 'a person', 'writes an annotation'],
      image: [2, 0, 'spec.template', 'website'],
      replicas: [2, 1, 'spec.replicas', 'autoscaler'],
      note: [2, 2, 'annotations', 'kubectl'],
    },
    arrows: [
      ['operator', 'image', ''],
      ['autoscaler', 'replicas', ''],
      ['person', 'note', ''],
    ],
  },
  architecture: {
    folder: 'docs',
    title: 'Four paths through the code',
    // test/docs/architecture-page.test.ts checks that the page names each class and function, and that the folders exist.
    boxes: {
      watch: [0, 0, 'ResourceWatch', 'apiserver: handlers/watch', 'server'],
      store: [0, 1, 'Store', 'apiserver: storage', 'server'],
      resource: [0, 2, 'Resource', 'apiserver: registry', 'server'],
      patch: [0, 3, 'patchObject', 'apiserver: handlers', 'server'],
      router: [0, 4, 'Router', 'apiserver: handlers', 'server'],
      handler: [0, 5, 'C: RequestHandler', 'apiserver: server', 'own'],
      transport: [1, 0, 'A: Transport', 'runtime: transport', 'own'],
      reflector: [1, 1, 'Reflector', 'runtime: cache'],
      informer: [1, 2, 'SharedInformer', 'runtime: cache'],
      triggers: [1, 3, 'Triggers', 'runtime: controller/triggers'],
      queue: [1, 4, 'WorkQueue', 'runtime: queue'],
      loop: [1, 5, 'ReconcileLoop', 'runtime: controller'],
      decorators: [2, 0, 'B: Field, Kind', 'api: fields, kinds', 'own'],
      metadata: [2, 1, 'ClassMetadata', 'api: metadata'],
      schema: [2, 2, 'classSchema', 'api: fields'],
      crds: [2, 3, 'generateCrds', 'api: crd'],
      command: [3, 0, 'D: runGenerate', 'cli: generate', 'own'],
      compile: [3, 1, 'compile', 'cli: project'],
      inspect: [3, 2, 'inspect', 'cli: project'],
      describe: [3, 3, 'describeProject', 'cli: project/inspection'],
      manifests: [3, 4, 'manifestsOf', 'cli: manifests'],
      files: [3, 5, 'writeFiles', 'create-operator: files'],
    },
    arrows: [
      ['handler', 'router', ''],
      ['router', 'patch', ''],
      ['patch', 'resource', ''],
      ['resource', 'store', ''],
      ['store', 'watch', ''],
      ['watch', 'transport', ''],
      ['transport', 'reflector', ''],
      ['reflector', 'informer', ''],
      ['informer', 'triggers', ''],
      ['triggers', 'queue', ''],
      ['queue', 'loop', ''],
      ['loop', 'handler', ''],
      ['decorators', 'metadata', ''],
      ['metadata', 'schema', ''],
      ['schema', 'crds', ''],
      ['crds', 'describe', ''],
      ['command', 'compile', ''],
      ['compile', 'inspect', ''],
      ['inspect', 'describe', ''],
      ['describe', 'manifests', ''],
      ['manifests', 'files', ''],
    ],
  },
};

const [COLUMN, ROW, WIDTH, HEIGHT, EDGE] = [204, 100, 164, 56, 24];
/** The approximate width of a letter in a label, in pixels. */
const LETTER = 5.6;
const style = `
  .card { fill: #ffffff; stroke: #d0d7de } .box { fill: #f6f8fa; stroke: #8c959f } .own { fill: #ddf4ff; stroke: #0969da }
  .server { fill: #fff8c5; stroke: #9a6700 } text { fill: #1f2328 } .small { fill: #57606a; font-size: 11px }
  .arrow { stroke: #57606a; fill: none } .head { fill: #57606a } .behind { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #30363d } .box { fill: #161b22; stroke: #6e7681 } .own { fill: #0c2d6b; stroke: #58a6ff }
    .server { fill: #3b2300; stroke: #d29922 } text { fill: #e6edf3 } .small { fill: #9ea7b3 }
    .arrow { stroke: #9ea7b3 } .head { fill: #9ea7b3 } .behind { fill: #0d1117 }
  }
`;

for (const [name, picture] of Object.entries(pictures)) {
  writeFileSync(join(root, picture.folder ?? 'docs/concepts', `${name}.svg`), draw(picture));
}

function draw({ title, boxes, arrows }) {
  const places = Object.values(boxes);
  const width = EDGE * 2 + Math.max(...places.map(([column]) => column)) * COLUMN + WIDTH;
  const height = EDGE * 2 + Math.max(...places.map(([, row]) => row)) * ROW + HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<style>${style}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${arrows.map(([from, to, label]) => arrow(boxes[from], boxes[to], label)).join('\n')}
${places.map(box).join('\n')}
</svg>
`;
}

function box([column, row, text, second = '', kind = 'box']) {
  const [x, y] = corner(column, row);
  const middle = x + WIDTH / 2;
  const first = `<text x="${middle}" y="${y + (second ? 25 : 33)}" text-anchor="middle" font-weight="600">${text}</text>`;
  const small = second && `<text class="small" x="${middle}" y="${y + 42}" text-anchor="middle">${second}</text>`;
  return `<rect class="${kind}" x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="6"/>${first}${small}`;
}

/** Returns the SVG of an arrow between the edges of two boxes, with a label in the middle. */
function arrow(from, to, label) {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [start, end] = [edge(a, b), edge(b, a)];
  const line = `<line class="arrow" x1="${start[0]}" y1="${start[1]}" x2="${end[0]}" y2="${end[1]}" marker-end="url(#head)"/>`;
  if (label === '') return line;
  const [x, y] = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 4];
  // Draws a rectangle behind the label, so that the line does not cross the text.
  const width = Math.ceil(label.length * LETTER) + 4;
  const behind = `<rect class="behind" x="${x - width / 2}" y="${y - 12}" width="${width}" height="16"/>`;
  return `${line}${behind}<text class="small" x="${x}" y="${y}" text-anchor="middle">${label}</text>`;
}

/** Returns the intersection of the edge of a box with the line from the middle of the box to another point. */
function edge([x, y], [toX, toY]) {
  const scale = Math.min(WIDTH / 2 / Math.abs(toX - x || 1e-9), HEIGHT / 2 / Math.abs(toY - y || 1e-9));
  return [Math.round(x + (toX - x) * scale), Math.round(y + (toY - y) * scale)];
}
function middleOf([column, row]) {
  const [x, y] = corner(column, row);
  return [x + WIDTH / 2, y + HEIGHT / 2];
}
function corner(column, row) {
  return [EDGE + column * COLUMN, EDGE + row * ROW];
}
