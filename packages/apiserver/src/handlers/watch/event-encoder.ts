import { stringifyJson } from '@kubewright/api/json';

/**
 * Writes events as lines of JSON. The object of the last one is remembered: all watches of a resource get the same object
 * one after the other, and its text is made once.
 */
export class EventEncoder {
  #object: object | undefined;
  #text = '';

  line(type: string, object: object): string {
    if (object !== this.#object) {
      this.#text = stringifyJson(object);
      this.#object = object;
    }
    return `{"type":"${type}","object":${this.#text}}\n`;
  }
}
