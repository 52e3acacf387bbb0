/**
 * Masks the values of JSON-RPC messages byte by byte, so that a message cut anywhere over any number of
 * pieces comes out as the same message masked. Length, structure, keys, ids and methods stay.
 *
 * Equal values get equal masks under one key (the judge compares messages); the key is forgotten with
 * the process, so nobody can get a value back.
 */
import { type Cipher, createCipheriv } from 'node:crypto';

/** One piece of a message in, the same number of bytes out. */
export interface JsonMasker {
  mask(bytes: Uint8Array): Uint8Array;
}

/** Paths (without array indexes, so batches too) whose value says which message it is and not what is in it. */
const kept = new Set([
  'jsonrpc',
  'id',
  'method',
  'params.name',
  'params.uri',
  'params.requestId',
  'params.progressToken',
  'params.progress',
  'params.total',
  'params.protocolVersion',
  'params._meta.progressToken',
  'params._meta.io.modelcontextprotocol/protocolVersion',
  'result.protocolVersion',
  'result.resultType',
  'error.code',
]);

const letters = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const maxKeyBytes = 200;

const quote = 0x22;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

interface Container {
  readonly object: boolean;
  key: string;
}

/** `key` has 16 bytes. */
export function createJsonMasker(key: Uint8Array): JsonMasker {
  const containers: Container[] = [];
  let expectsKey = false;
  let inString: 'key' | 'kept' | 'masked' | undefined;
  let escaped = false;
  let keyBytes: number[] = [];
  let cipher: Cipher | undefined;
  /** The rest of `true`, `false` or `null` that must follow. */
  let literal = '';

  const keeps = (): boolean =>
    kept.has(containers.flatMap(({ object, key: name }) => (object ? [name] : [])).join('.'));
  // CFB8: one byte out for one byte in, and each depends on those before it.
  const scramble = (byte: number): number => {
    cipher ??= createCipheriv('aes-128-cfb8', key, Buffer.alloc(16));
    return cipher.update(Uint8Array.of(byte))[0]!;
  };

  const insideString = (byte: number): number => {
    const closing = byte === quote && !escaped;
    escaped = byte === backslash && !escaped;
    if (closing) {
      if (inString === 'key') containers.at(-1)!.key = Buffer.from(keyBytes).toString('utf8');
      inString = undefined;
      return byte;
    }
    if (inString === 'key' && keyBytes.length < maxKeyBytes) keyBytes.push(byte);
    // Escapes are masked with their backslash: what is left is always a valid string.
    return inString === 'masked' ? letters[scramble(byte) & 63]! : byte;
  };

  const outside = (byte: number): number => {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (isDigit) {
      // 1 to 9, because a number must not begin with 0.
      return keeps() ? byte : 0x31 + (scramble(byte) % 9);
    }
    if (byte !== 0x2e && byte !== 0x2d && byte !== 0x2b && byte !== 0x65 && byte !== 0x45) cipher = undefined;
    switch (byte) {
      case quote:
        inString = expectsKey ? 'key' : keeps() ? 'kept' : 'masked';
        keyBytes = [];
        escaped = false;
        return byte;
      case openObject:
      case openArray:
        containers.push({ object: byte === openObject, key: '' });
        expectsKey = byte === openObject;
        return byte;
      case closeObject:
      case closeArray:
        containers.pop();
        expectsKey = false;
        return byte;
      case comma:
        expectsKey = containers.at(-1)?.object ?? false;
        return byte;
      case colon:
        expectsKey = false;
        return byte;
      default:
        return bare(byte);
    }
  };

  /** Outside of strings JSON has only numbers, three words and white space; anything else is not JSON and is hidden. */
  const bare = (byte: number): number => {
    const character = String.fromCharCode(byte);
    if (literal.startsWith(character)) {
      literal = literal.slice(1);
      return byte;
    }
    literal = { t: 'rue', f: 'alse', n: 'ull' }[character] ?? '';
    return literal !== '' || /[\s+\-.eE]/.test(character) ? byte : 0x78;
  };

  return {
    mask(bytes) {
      const masked = new Uint8Array(bytes.byteLength);
      bytes.forEach((byte, at) => {
        if (inString !== undefined) {
          masked[at] = insideString(byte);
          if (inString === undefined) cipher = undefined;
        } else masked[at] = outside(byte);
      });
      return masked;
    },
  };
}
