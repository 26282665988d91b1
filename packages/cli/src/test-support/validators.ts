/** A validator, and the equivalent rules. */
export interface ValidatorCase {
  readonly title: string;
  /** Declarations before the class. @default none */
  readonly constants?: string;
  /** The method of the class. */
  readonly method: string;
  /** The decorator of the class. @default 'Validator' */
  readonly decorator?: 'Validator' | 'Admission';
  /** The operations for which the API server calls the validator. @default ['CREATE', 'UPDATE'] */
  readonly operations?: readonly string[];
  /** The place of the rules, and the rules. Undefined if CEL cannot express the validator. */
  readonly expected: readonly [place: 'spec' | 'kind' | 'policy', ...rules: readonly string[]] | undefined;
}

const validate = (condition: string, parameters = '{ spec }', field = 'spec.size'): string =>
  `validate(${parameters}) { return ${condition} ? [{ field: '${field}', message: 'is wrong' }] : []; }`;

/** Returns an expression of CEL. A line break and the following indentation represent a space. */
const cel = ({ raw }: TemplateStringsArray): string => raw.join('').replace(/\s*\n\s*/g, ' ');

/** Validators of the kind Widget of `candidate.test.ts` that fit into CEL. */
const fitting: readonly ValidatorCase[] = [
  { title: 'compares an integer', method: validate('spec.size > 10'), expected: ['spec', 'self.size <= 10'] },
  {
    title: 'pushes violations into a list',
    constants: 'const MOST = 2 * 5 - 7;\nconst FIELD = "spec.size";',
    method: `validate({ spec }: Widget): Violation[] {
      const violations: Violation[] = [];
      if (spec.size < 1) violations.push({ field: FIELD, message: \`must be at least \${MOST}\`, value: spec.size });
      else if (spec.size > MOST) violations.push({ field: FIELD, message: 'is too large', reason: 'FieldValueForbidden' });
      if (spec.enabled) { violations.push({ field: 'spec.enabled', message: 'must be false' }); }
      return violations;
    }`,
    expected: ['spec', 'self.size >= 1', 'self.size < 1 || self.size <= 3', '!has(self.enabled) || !self.enabled'],
  },
  {
    title: 'returns early if an optional field is missing',
    method: `validate(widget) {
      if (widget.spec.limits === undefined) return [];
      const { memory, cpu = 1 } = widget.spec.limits;
      return cpu > memory || cpu + memory > 400 ? [{ field: 'spec.limits', message: 'is wrong' }] : [];
    }`,
    expected: [
      'spec',
      cel`!has(self.limits) || ((has(self.limits.cpu) ? self.limits.cpu : 1) <= self.limits.memory &&
        (has(self.limits.cpu) ? self.limits.cpu : 1) + self.limits.memory <= 400)`,
    ],
  },
  {
    title: 'reads optional fields',
    method: validate("spec.limits?.cpu! > 2 || spec.limits?.unit === 'a'"),
    expected: [
      'spec',
      cel`(!has(self.limits) || !has(self.limits.cpu) || self.limits.cpu <= 2) && (!has(self.limits) ||
        !has(self.limits.unit) || self.limits.unit != 'a')`,
    ],
  },
  {
    title: 'compares two optional fields',
    method: validate('spec.title !== spec.limits?.unit'),
    expected: [
      'spec',
      cel`(has(self.title) && has(self.limits) && has(self.limits.unit) && self.title == self.limits.unit) ||
        (!has(self.title) && (!has(self.limits) || !has(self.limits.unit)))`,
    ],
  },
  {
    title: 'uses defaults',
    method: validate("(spec.most ?? 5) < spec.size && (spec.title ?? 'a') === 'a'"),
    expected: ['spec', "(has(self.most) ? self.most : 5) >= self.size || (has(self.title) ? self.title : 'a') != 'a'"],
  },
  {
    title: 'uses the truth of values',
    method: validate('!spec.title && !(spec.size || spec.most) || spec.limits && !spec.enabled'),
    expected: [
      'spec',
      cel`((has(self.title) && self.title != '') || self.size != 0 || (has(self.most) && self.most != 0)) &&
        (!has(self.limits) || (has(self.enabled) && self.enabled))`,
    ],
  },
  {
    title: 'checks the parts of a text',
    method: validate(
      "spec.title?.startsWith('a') || spec.title?.includes('\\u{1F600}') || spec.note.endsWith(\"it's\")",
    ),
    expected: [
      'spec',
      cel`(!has(self.title) || !self.title.startsWith('a')) && (!has(self.title) ||
        !self.title.contains('😀')) && !self.note.endsWith('it\'s')`,
    ],
  },
  {
    title: 'counts UTF-16 units of a text',
    method: validate('spec.note.length > 2'),
    expected: ['spec', "size(self.note) + size(self.note.findAll('[\\\\x{10000}-\\\\x{10FFFF}]')) <= 2"],
  },
  {
    title: 'checks whether a text is empty',
    method: validate('spec.note.length === 0 || spec.title?.length! >= 1'),
    expected: ['spec', 'size(self.note) != 0 && (!has(self.title) || size(self.title) < 1)'],
  },
  {
    title: 'counts characters of a text in ASCII',
    method: validate('spec.id.length > 2 || spec.mode.length < 4'),
    expected: ['spec', 'size(self.id) <= 2 && size(self.mode) >= 4'],
  },
  {
    title: 'tests a pattern',
    constants: 'const NAME = /^[a-z](?:[-a-z0-9]{0,3}|\\d+)$/;',
    method: validate('!NAME.test(spec.note)'),
    expected: ['spec', "self.note.matches('^[a-z](?:[\\\\-a-z0-9]{0,3}|\\\\d+)$')"],
  },
  {
    title: 'tests a pattern with any characters',
    method: validate('/^a.*$/.test(spec.note) || spec.note.match(/^..$/u) !== null || /^[^a]+$/.test(spec.note)'),
    expected: [
      'spec',
      cel`!self.note.matches('^a[^\\n\\r\\x{2028}\\x{2029}]*$') &&
        !self.note.matches('^[^\\n\\r\\x{2028}\\x{2029}][^\\n\\r\\x{2028}\\x{2029}]$') &&
        !self.note.matches('^[^a]+$')`,
    ],
  },
  {
    title: 'tests words and escaped characters',
    method: validate('/\\bb\\b|\\W$|\\x61\\u0062|v\\d\\.\\d/u.test(spec.note)'),
    expected: ['spec', "!self.note.matches('\\\\bb\\\\b|\\\\W$|\\\\x{61}\\\\x{0062}|v\\\\d\\\\.\\\\d')"],
  },
  {
    title: 'checks the items of a list',
    method: validate(
      cel`spec.ports?.some((port) => port.port > 400 && port.name === '') ||
        spec.ports?.every(({ protocol }) => protocol === 'TCP')`,
    ),
    expected: [
      'spec',
      cel`(!has(self.ports) || !self.ports.exists(port, port.port > 400 && port.name == '')) &&
        (!has(self.ports) || !self.ports.all(item, has(item.protocol) && item.protocol == 'TCP'))`,
    ],
  },
  {
    title: 'checks nested lists',
    method: validate('spec.ports?.some((port) => spec.tags?.some((tag) => tag === port.name))'),
    expected: [
      'spec',
      '!has(self.ports) || !self.ports.exists(port, has(self.tags) && self.tags.exists(tag, tag == port.name))',
    ],
  },
  {
    title: 'counts items',
    method: validate(
      cel`(spec.tags ?? []).length > 2 || spec.ports !== undefined &&
        spec.ports.filter((self) => self.protocol === 'UDP').length > 1`,
    ),
    expected: [
      'spec',
      cel`size(has(self.tags) ? self.tags : []) <= 2 && (!has(self.ports) ||
        size(self.ports.filter(item, has(item.protocol) && item.protocol == 'UDP')) <= 1)`,
    ],
  },
  {
    title: 'checks whether a list contains a value',
    method: validate("spec.tags?.includes('a') || spec.tags?.includes(spec.title!)"),
    expected: [
      'spec',
      "(!has(self.tags) || !('a' in self.tags)) && (!has(self.tags) || !(has(self.title) && self.title in self.tags))",
    ],
  },
  {
    title: 'finds an item',
    method: validate(
      "spec.ports?.find((port) => port.port === 80) === undefined || !spec.tags?.find((tag) => tag === 'a')",
    ),
    expected: [
      'spec',
      "has(self.ports) && self.ports.exists(port, port.port == 80) && has(self.tags) && self.tags.exists(tag, tag == 'a')",
    ],
  },
  {
    title: 'matches an optional text',
    method: validate('!spec.title?.match(/^a/) && (spec.title === undefined || spec.title.match(/b/) === null)'),
    expected: ['spec', "(has(self.title) && self.title.matches('^a')) || (has(self.title) && self.title.matches('b'))"],
  },
  {
    title: 'reads the first item',
    method: validate("spec.tags?.[0] === 'a' || spec.ports?.[1]?.name === 'b'"),
    expected: [
      'spec',
      cel`(!has(self.tags) || size(self.tags) <= 0 || self.tags[0] != 'a') && (!has(self.ports) ||
        size(self.ports) <= 1 || self.ports[1].name != 'b')`,
    ],
  },
  {
    title: 'compares with the items of constant lists',
    constants: "const MODES = ['auto', 'off'] as const;\nconst SIZES = new Set([1, 2, 3]);",
    method: validate("MODES.includes(spec.mode) && SIZES.has(spec.size) || ['a', 'b'].includes(spec.title!)"),
    expected: [
      'spec',
      "(!(self.mode in ['auto', 'off']) || !(self.size in [1, 2, 3])) && !(has(self.title) && self.title in ['a', 'b'])",
    ],
  },
  {
    title: 'reads the entries of a map',
    method: validate(
      "spec.labels?.['team'] === 'a' || spec.labels?.['a/b'] !== undefined || Object.keys(spec.labels ?? {}).length > 1",
    ),
    expected: [
      'spec',
      cel`(!has(self.labels) || !('team' in self.labels) || self.labels['team'] != 'a') &&
        (!has(self.labels) || !('a/b' in self.labels)) && size(has(self.labels) ? self.labels : {}) <= 1`,
    ],
  },
  {
    title: 'checks the keys of a map',
    method: validate("Object.keys(spec.labels ?? {}).some((key) => key.includes('/'))"),
    expected: ['spec', "!(has(self.labels) ? self.labels : {}).exists(key, key.contains('/'))"],
  },
  {
    title: 'compares numbers',
    method: validate('spec.ratio !== undefined && (spec.ratio > 0.5 || spec.ratio === -3) && !(spec.ratio >= 2)'),
    expected: ['spec', '!has(self.ratio) || (self.ratio <= 0.5 && self.ratio != -3.0) || self.ratio >= 2.0'],
  },
  {
    title: 'compares large integers',
    method: validate('spec.huge! > 3 && spec.huge! < 9007199254740991'),
    expected: ['spec', '!has(self.huge) || self.huge <= 3 || self.huge >= 9007199254740991'],
  },
  {
    title: 'calculates',
    method: validate('spec.size % 2 === 1 || spec.size * 2 - 1 > 100'),
    expected: ['spec', 'self.size % 2 != 1 && self.size * 2 - 1 <= 100'],
  },
  {
    title: 'joins texts',
    method: validate("`${spec.note}-${spec.id}` === 'a-a' || spec.note + '!' === 'b!'"),
    expected: ['spec', "self.note + '-' + self.id != 'a-a' && self.note + '!' != 'b!'"],
  },
  {
    title: 'chooses values',
    method: validate(
      "(spec.enabled ? spec.size : 3) > 2 && (spec.mode === 'auto' ? spec.enabled === true : spec.size < 5)",
    ),
    expected: [
      'spec',
      cel`(has(self.enabled) && self.enabled ? self.size : 3) <= 2 || ((self.mode != 'auto' ||
        !has(self.enabled) || !self.enabled) && (self.mode == 'auto' || self.size >= 5))`,
    ],
  },
  {
    title: 'iterates over a list',
    method: `validate({ spec }) {
      const violations = [];
      for (const { name, protocol } of spec.ports ?? []) {
        if (protocol === undefined) continue;
        const isTcp = protocol === 'TCP';
        if (isTcp && name === '') violations.push({ field: 'spec.ports', message: 'names of TCP ports must not be empty' });
        if (!isTcp && spec.enabled) violations.push({ field: 'spec.ports', message: 'is wrong' });
      }
      return [...violations, ...(spec.size > 100 ? [{ field: 'spec.size', message: 'is wrong' }] : [])];
    }`,
    expected: [
      'spec',
      "!(has(self.ports) ? self.ports : []).exists(item, has(item.protocol) && item.protocol == 'TCP' && item.name == '')",
      cel`!(has(self.ports) ? self.ports : []).exists(item, has(item.protocol) && item.protocol != 'TCP' &&
        has(self.enabled) && self.enabled)`,
      'self.size <= 100',
    ],
  },
  {
    title: 'compares with the old object',
    method: validate('old !== undefined && old.spec.size !== spec.size', '{ spec }, old'),
    expected: ['spec', 'oldSelf.size == self.size'],
  },
  {
    title: 'compares with optional fields of the old object',
    method: validate('old?.spec.limits !== undefined && spec.limits === undefined', '{ spec }, old'),
    expected: ['spec', '!has(oldSelf.limits) || has(self.limits)'],
  },
  {
    title: 'checks new objects only',
    method: validate("old === undefined && spec.mode === 'off'", '{ spec }, old'),
    expected: ['policy', "oldObject != null || object.spec.mode != 'off'"],
  },
  {
    title: 'checks updates only, without the old object',
    method: validate('old !== undefined && spec.size > 3', '{ spec }, old'),
    expected: ['policy', 'oldObject == null || object.spec.size <= 3'],
  },
  {
    title: 'compares the name',
    method: validate('spec.size > 3 && metadata.name.length > 3', '{ metadata, spec }'),
    expected: ['kind', 'self.spec.size <= 3 || size(self.metadata.name) <= 3'],
  },
  {
    title: 'compares labels and the namespace',
    method: validate("metadata.labels?.['team'] !== 'red' && metadata.namespace === 'default'", '{ metadata }'),
    expected: [
      'policy',
      cel`(has(object.metadata.labels) && 'team' in object.metadata.labels &&
        object.metadata.labels['team'] == 'red') || !has(object.metadata.namespace) ||
        object.metadata.namespace != 'default'`,
    ],
  },
  {
    title: 'reads the status',
    method: validate("status?.phase === 'a'", '{ status }'),
    expected: ['policy', "!has(object.status) || !has(object.status.phase) || object.status.phase != 'a'"],
  },
  {
    title: 'reads the request',
    method: validate(
      cel`context.operation === 'update' && context.user.name !== 'alice' &&
        !context.user.groups.includes('admins') || name.length > 4 && context.dryRun`,
      '{ spec }, _old, context',
    ).replace('{ return', '{ const { name } = context; return'),
    expected: [
      'policy',
      cel`(request.operation != 'UPDATE' || (has(request.userInfo.username) ?
        request.userInfo.username : '') == 'alice' || 'admins' in (has(request.userInfo.groups) ?
        request.userInfo.groups : [])) && (size(has(request.name) ?
        request.name : '') + size((has(request.name) ?
        request.name : '').findAll('[\\x{10000}-\\x{10FFFF}]')) <= 4 || !(has(request.dryRun) ?
        request.dryRun : false))`,
    ],
  },
  {
    title: 'has one parameter with @Admission',
    decorator: 'Admission',
    method: validate(
      "object.spec.size > 3 && operation === 'create' || old?.spec.mode === 'off'",
      '{ object, old, operation }',
    ),
    expected: [
      'policy',
      "(object.spec.size <= 3 || request.operation != 'CREATE') && (oldObject == null || oldObject.spec.mode != 'off')",
    ],
  },
  {
    title: 'is called on create only',
    operations: ['CREATE'],
    method: validate('spec.size > 3 || old !== undefined', '{ spec }, old'),
    expected: ['policy', 'object.spec.size <= 3'],
  },
  {
    title: 'is called on update only',
    operations: ['UPDATE'],
    method: validate('old.spec.size > spec.size', '{ spec }, old'),
    expected: ['policy', 'oldObject.spec.size <= object.spec.size'],
  },
];

/** Validators that CEL cannot express with the same meaning, or that the translation does not support. */
const others: readonly (readonly [title: string, method: string, constants?: string])[] = [
  ['a read of a field that can be undefined', validate('spec.limits!.memory > 3')],
  ['a comparison of texts by order', validate("spec.note < 'b'")],
  ['white space in a pattern', validate('/\\s/.test(spec.note)')],
  ['a pattern that ignores case', validate('/a/i.test(spec.note)')],
  ['a look-ahead in a pattern', validate('/a(?=b)/.test(spec.note)')],
  ['a back-reference in a pattern', validate('/(a)\\1/.test(spec.note)')],
  ['a dot in a pattern without the flag u', validate('/^.$/.test(spec.note)')],
  ['a pattern with two classes that could match one character', validate('/^[^a]+[^b]+$/.test(spec.note)')],
  ['a match result that can be null or undefined', validate('spec.title?.match(/a/) !== null')],
  ['a date field', validate("spec.expires === '2030-01-02T03:04:05Z'")],
  ['an int-or-string field', validate('spec.port === 1')],
  ['a property that every JavaScript object has', validate("spec.labels?.['toString'] !== undefined")],
  ['a field without a schema', validate('spec.other !== undefined')],
  ['a sum without bounds', validate('spec.huge! + 1 > 3')],
  ['a division', validate('spec.size / 2 > 3')],
  ['a comparison of object identity', validate('spec.limits !== old?.spec.limits', '{ spec }, old')],
  ['a call of a function', validate('isWrong(spec.size)'), 'const isWrong = (size) => size > 3;'],
  ['an imported constant', validate('spec.size > MOST'), "import { MOST } from './most.js';"],
  ['a field of the class', validate('spec.size > this.most')],
  ['await', `async ${validate('(await spec.size) > 3')}`],
  ['a list that changes', validate('MODES.includes(spec.mode)'), "const MODES = ['auto'];\nMODES.push('off');"],
  ['an exported list', validate('MODES.includes(spec.mode)'), "export const MODES = ['auto'];"],
  [
    'a field value in a message',
    'validate({ spec }) { return spec.size > 3 ? [{ field: "spec.size", message: `${spec.note} is wrong` }] : []; }',
  ],
  [
    'a warning',
    "validate({ spec }, _old, context) { context.warn('a'); return spec.size > 3 ? [{ field: 'a', message: 'b' }] : []; }",
  ],
  ['an exception', "validate({ spec }) { if (spec.size > 3) throw new Error('a'); return []; }"],
  [
    'a variable that changes',
    'validate({ spec }) { let size = spec.size; size += 1; return size > 3 ? [{ field: "a", message: "b" }] : []; }',
  ],
  [
    'a list of violations that is not returned',
    'validate({ spec }) { const v = []; if (spec.size > 3) v.push({ field: "a", message: "b" }); return []; }',
  ],
  [
    'two lists of violations',
    'validate({ spec }) { const v = []; const w = []; if (spec.size > 3) w.push({ field: "a", message: "b" }); return v; }',
  ],
  ['a path without a result', 'validate({ spec }) { if (spec.size > 3) return [{ field: "a", message: "b" }]; }'],
  ['no possible violation', 'validate() { return []; }'],
  ['a generator', 'validate({ spec }) { return [...function* () { yield spec; }()]; }'],
];

/** Validators, and the equivalent rules. */
export const candidates: readonly ValidatorCase[] = [
  ...fitting.map((each) => ({ ...each, title: `translates a validator that ${each.title}` })),
  ...others.map(([title, method, constants]) => ({
    title: `does not translate a validator with ${title}`,
    method,
    ...(constants !== undefined && { constants }),
    expected: undefined,
  })),
];
