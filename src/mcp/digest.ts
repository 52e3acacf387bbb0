/**
 * Digests that name things in sites and journals: the arguments of a call, a session id's pseudonym.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the text in UTF-8, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * 12 hex digits that say whether two calls have the same arguments: `arguments` where the params have
 * them, else the params without `_meta` (progress tokens and trace ids differ from run to run). The
 * order of keys does not matter.
 */
export function argumentsDigest(params: unknown): string {
  return sha256Hex(canonicalJson(subjectOf(params))).slice(0, 12);
}

function subjectOf(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  if ('arguments' in params) return params.arguments;
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== '_meta'));
}

/** Deeper values count as equal: a hostile body of a hundred thousand brackets must not end the run. */
const maxDepth = 256;

function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth === maxDepth) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const entries = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key], depth + 1)}`);
  return `{${entries.join(',')}}`;
}
