import { type AnyClass, ClassMetadata } from '../../controller/class-metadata.js';
import type { Token } from './token.js';

const marked = new ClassMetadata<true>('injectable');
const tokens = new ClassMetadata<ReadonlyMap<number, Token<unknown>>>('inject');

/**
 * Marks a class that the container may make. Controllers need no mark.
 *
 * @example
 * @Injectable()
 * class CloudService {
 *   constructor(private readonly client: Client) {}
 * }
 */
export function Injectable(): (target: abstract new (...services: never[]) => object) => void {
  return (target) => marked.set(target, true);
}

/**
 * Says which token a constructor parameter takes; the parameter's type must be what the token stands for.
 *
 * @example
 * const REGION = token<string>('region');
 * class CloudService {
 *   constructor(@Inject(REGION) private readonly region: string) {}
 * }
 * manager.provide(REGION, { value: 'eu-1' });
 */
export function Inject<V>(
  token: Token<V>,
): <C extends abstract new (...services: never[]) => unknown, const I extends number>(
  target: C &
    ([V] extends [ConstructorParameters<C>[I]]
      ? unknown
      : `parameter ${I} of the constructor is not of the type that the token stands for`),
  key: undefined,
  index: I,
) => void {
  return (target, _key, index) => {
    const constructor: AnyClass = target;
    tokens.set(constructor, new Map(tokens.get(constructor)).set(index, token));
  };
}

/** Whether `@Injectable()` stands at the class. */
export function isInjectable(target: AnyClass): boolean {
  return marked.get(target) === true;
}
/** The tokens of a constructor by the index of the parameter. */
export function injectedTokens(target: AnyClass): ReadonlyMap<number, Token<unknown>> {
  return tokens.get(target) ?? new Map();
}
