import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from '../../names/dns-names.js';
import { labelValueErrors, qualifiedNameErrors } from '../../names/label-names.js';
import { textFormat } from '../../schema/text-formats.js';
import { CelError } from '../values/cel-error.js';
import { celTypes, listOf, optionalOf } from '../values/cel-type.js';
import { CelOptional, type CelValue, type OpaqueValue } from '../values/cel-value.js';
import { ListValue } from '../values/list-value.js';
import { func, method, type Overload, takes } from '../check/overload.js';
import { parseUrl } from './url.js';

type Check = (text: string) => readonly string[];

/** A named format for validating strings. */
export class NamedFormat implements OpaqueValue {
  readonly opaqueType = celTypes.format;
  readonly name: string;
  readonly check: Check;
  /** The length of the regular expression that Kubernetes uses for this format. The length determines the cost of the validation. */
  readonly patternLength: number;

  constructor(name: string, patternLength: number, check: Check) {
    this.name = name;
    this.patternLength = patternLength;
    this.check = check;
  }

  equals(other: CelValue): CelValue {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

function prefix(check: Check): Check {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function checked(format: string, why: string): Check {
  return (text) => (textFormat(format)?.(text) === true ? [] : [why]);
}

function uriErrors(text: string): readonly string[] {
  const parsed = parseUrl(text);
  return parsed instanceof CelError ? [parsed.message] : [];
}

function formats(): readonly (readonly [string, NamedFormat])[] {
  const named = (key: string, name: string, length: number, check: Check): readonly [string, NamedFormat] => [
    key,
    new NamedFormat(name, length, check),
  ];
  return [
    named('dns1123Label', 'DNS1123Label', 30, dns1123LabelErrors),
    named('dns1123Subdomain', 'DNS1123Subdomain', 60, dns1123SubdomainErrors),
    named('dns1035Label', 'DNS1035Label', 30, dns1035LabelErrors),
    named('qualifiedName', 'QualifiedName', 60, qualifiedNameErrors),
    named('dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, prefix(dns1123LabelErrors)),
    named('dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', 60, prefix(dns1123SubdomainErrors)),
    named('dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, prefix(dns1035LabelErrors)),
    named('labelValue', 'LabelValue', 40, labelValueErrors),
    named('uri', 'URI', 1103, uriErrors),
    named('uuid', 'uuid', 73, checked('uuid', 'does not match the UUID format')),
    named('byte', 'byte', 84, checked('byte', 'invalid base64')),
    named('date', 'date', 81, checked('date', 'invalid date')),
    named('datetime', 'datetime', 81, checked('datetime', 'invalid datetime')),
  ];
}

/** Returns the Kubernetes functions for named formats. */
export function formatOverloads(): readonly Overload[] {
  const { string, format } = celTypes;
  const known = formats();
  const byName = new Map(known);
  return [
    ...known.map(([key, value]) => func([`format.${key}`, `format.${key}`], takes(format), () => value)),
    func(
      ['format-named', 'format.named'],
      takes(string, optionalOf(format)),
      (name: string) => new CelOptional(byName.get(name)),
    ),
    method(
      ['format-validate', 'validate'],
      takes(format, string, optionalOf(listOf(string))),
      ({ check }: NamedFormat, text: string) => {
        const errors = check(text);
        return new CelOptional(errors.length === 0 ? undefined : new ListValue(errors));
      },
    ),
  ];
}
