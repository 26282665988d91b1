import type { Converter, KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type ConverterRecord, kindOf, objectSchemaOf, webhooksOf } from '@kubewright/api/metadata';
import { deepEqual } from '@kubewright/api/patch';
import type { Constructor } from '@kubewright/runtime';
import { CONVERSION_ANNOTATION, convertObject, fieldChanges, readKept } from '@kubewright/runtime/internal';
import { type GeneratedObjectsOptions, generatedObjects, schemaError } from './objects-of-schema.js';

/** The result of `testConversion`. */
export interface ConversionReport {
  /** The number of checked objects of both versions. */
  readonly objects: number;
  /**
   * The fields that the other version cannot represent, and that the annotation therefore keeps: `up` contains fields of the spoke, and
   * `down` contains fields of the hub.
   */
  readonly kept: { readonly up: readonly string[]; readonly down: readonly string[] };
}

/**
 * Checks a converter with generated objects of both versions: `down(up(x))` is `x`, and `up(down(y))` is `y`. Converts the objects as the
 * manager does, so that the fields in the annotation are part of the check. Also checks that the methods are pure, and that the converted
 * objects are valid in their version.
 *
 * Pass a class with `@Converter`, or an instance if the constructor has parameters. Throws CONVERSION_NOT_REVERSIBLE if a method is not
 * pure or loses a value, and CONVERSION_INVALID if a converted object is not valid. Both errors contain the first object that fails. Also
 * throws CONVERSION_FAILED if a method throws, CANNOT_GENERATE if no object to check can be generated, and NOT_A_COMPONENT for a class
 * without `@Converter`.
 *
 * @example
 * test('cron jobs keep all fields in both directions', () => {
 *   const { kept } = testConversion(CronJobConverter);
 *   assert.deepEqual(kept.up, []); // v1 can represent every field of v1alpha1
 * });
 */
export function testConversion(
  converter: Constructor<AnyConverter> | AnyConverter,
  options: GeneratedObjectsOptions = {},
): ConversionReport {
  const target = typeof converter === 'function' ? converter : (converter.constructor as Constructor);
  const record = webhooksOf(target as never).find((each): each is ConverterRecord => each.type === 'converter');
  if (record === undefined) {
    throw new KubewrightError(
      'NOT_A_COMPONENT',
      `cannot test ${target.name}: it has no @Converter({ from: …, hub: … })`,
    );
  }
  const made = typeof converter === 'function' ? new converter() : converter;
  const check = new ConversionCheck(target.name, record.options, made as unknown as Converter<KubeObject, KubeObject>);
  return check.run(options);
}

/** A converter between any two versions. */
export interface AnyConverter {
  up(spoke: never): unknown;
  down(hub: never): unknown;
}

class ConversionCheck {
  readonly #name: string;
  readonly #options: ConverterRecord['options'];
  readonly #converter: Converter<KubeObject, KubeObject>;

  constructor(name: string, options: ConverterRecord['options'], converter: Converter<KubeObject, KubeObject>) {
    this.#name = name;
    this.#options = options;
    this.#converter = converter;
  }

  run(options: GeneratedObjectsOptions): ConversionReport {
    const spokes = generatedObjects(this.#options.from, options);
    const hubs = generatedObjects(this.#options.hub, options);
    const up = new Set(spokes.flatMap((object) => this.#check(object, 'up')));
    const down = new Set(hubs.flatMap((object) => this.#check(object, 'down')));
    return { objects: spokes.length + hubs.length, kept: { up: [...up].toSorted(), down: [...down].toSorted() } };
  }

  /** Checks one object. Returns the fields that are kept in the annotation. */
  #check(object: KubeObject, direction: 'up' | 'down'): readonly string[] {
    const converted = this.#convert(object, direction);
    if (!deepEqual(this.#convert(object, direction), converted)) {
      throw this.#notReversible(object, `${direction} returns different results for the same object; it must be pure`);
    }
    const target = this.#target(direction);
    const error = schemaError(target, converted);
    if (error !== undefined) {
      const { apiVersion } = kindOf(target);
      throw this.#notValid(object, `${direction} returns an object that is not valid in ${apiVersion}: ${error}`);
    }
    const back = this.#convert(converted, direction === 'up' ? 'down' : 'up');
    const { [CONVERSION_ANNOTATION]: _, ...annotations } = back.metadata.annotations ?? {};
    const restored =
      Object.keys(annotations).length > 0
        ? { ...back, metadata: { ...back.metadata, annotations } }
        : withoutAnnotations(back);
    if (!deepEqual(object, restored)) {
      const source = direction === 'up' ? this.#options.from : this.#options.hub;
      const [change] = fieldChanges(object, restored, objectSchemaOf(source));
      const ways = direction === 'up' ? 'down(up(object))' : 'up(down(object))';
      const values = `${JSON.stringify(change?.from)} becomes ${JSON.stringify(change?.to)}`;
      throw this.#notReversible(object, `${ways} changes ${change?.field}: ${values}`);
    }
    const { version } = kindOf(direction === 'up' ? this.#options.from : this.#options.hub);
    return (readKept(converted.metadata)[version] ?? []).map(({ path }) => pathText(path));
  }
  #convert(object: KubeObject, direction: 'up' | 'down'): KubeObject {
    const by = { name: this.#name, options: this.#options, converter: this.#converter };
    return convertObject(object, [{ by, direction }]);
  }
  #target(direction: 'up' | 'down'): KindRef {
    return direction === 'up' ? this.#options.hub : this.#options.from;
  }
  #notReversible(object: KubeObject, problem: string): KubewrightError {
    return new KubewrightError('CONVERSION_NOT_REVERSIBLE', this.#message(object, problem));
  }
  #notValid(object: KubeObject, problem: string): KubewrightError {
    return new KubewrightError('CONVERSION_INVALID', this.#message(object, problem));
  }
  #message(object: KubeObject, problem: string): string {
    return `${this.#name}: ${problem}; the object is ${JSON.stringify(object)}`;
  }
}

function withoutAnnotations({ metadata, ...object }: KubeObject): KubeObject {
  const { annotations: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
function pathText(path: readonly (string | { readonly name: string } | { readonly index: number })[]): string {
  return path
    .map((step) => (typeof step === 'string' ? `.${step}` : '[*]'))
    .join('')
    .replace(/^\./, '');
}
