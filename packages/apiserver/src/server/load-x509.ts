/**
 * The library that makes certificates. It costs more time and memory than the rest of a small server, so it is loaded by who
 * makes one: a server that keeps its certificate does not.
 */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // The library wants it, and to be second.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
