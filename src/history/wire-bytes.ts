/**
 * Bytes in a journal line and back, exactly. Nearly all traffic is UTF-8 and stays readable; a piece
 * that was cut inside a character, or is no text at all, goes as base64.
 */
import type { WireBytes } from './fact.ts';

// Fatal, so that no byte is replaced; `ignoreBOM`, so that a BOM stays in the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function toWire(bytes: Uint8Array): WireBytes {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: btoa(binary(bytes)) };
  }
}

/** Throws a `RangeError` where `base64` is not base64. */
export function fromWire(wire: WireBytes): Uint8Array {
  if ('text' in wire) return encoder.encode(wire.text);
  let text: string;
  try {
    text = atob(wire.base64);
  } catch {
    throw new RangeError(
      `wire bytes: base64 was expected, found ${JSON.stringify(wire.base64.slice(0, 40))}`,
    );
  }
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** One character a byte; in slices, because a call takes only so many arguments. */
function binary(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}
