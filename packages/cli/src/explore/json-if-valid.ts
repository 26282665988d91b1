import { InvalidJsonError, parseJson } from '@kubewright/api/json';

/** Parses a text as JSON. Returns undefined if the text is not valid. */
export function jsonIfValid(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}
