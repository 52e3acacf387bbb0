/** Reads what is embedded in the page: JSON, gzip, base64. */
export async function embedded<T>(id: string): Promise<T | undefined> {
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined || text === '') return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as T;
}
