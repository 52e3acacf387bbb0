/** Reads values of flags: which flag, what was expected, what was found. */
import { ChaosError } from '../errors.ts';
import type { Arguments } from './command.ts';

/** The value of a flag that may be given once. */
export function readText(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value)) throw usage(name, 'it once', `it ${value.length} times: ${value.join(', ')}`);
  if (value === '') throw usage(name, 'a value', 'an empty one');
  return String(value);
}

/** The values of a repeatable flag, in order. */
export function readTexts(args: Arguments, name: string): readonly string[] {
  const value = args[name];
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** The command to wrap, after `--`; empty where there is none. */
export function readWords(args: Arguments): readonly string[] {
  return readTexts(args, '--');
}

/** The same, where one is needed. */
export function readCommand(args: Arguments): readonly string[] {
  const command = readWords(args);
  if (command.length > 0) return command;
  throw new ChaosError('usage', 'there is no command to wrap: expected it after --, found nothing', {
    hint: 'For example: mcp-chaos --profile desync --seed 42 -- npm test. Without a command: mcp-chaos proxy.',
  });
}

/** A switch. */
export function readSwitch(args: Arguments, name: string): boolean {
  const value = args[name];
  return Array.isArray(value) ? value.at(-1) === true : value === true;
}

/** Milliseconds, from a number of them or a number with `ms`, `s` or `m`. */
export function readDuration(args: Arguments, name: string): number | undefined {
  const text = readText(args, name);
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const unit = { ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 'ms']!;
  const duration = Number(match?.[1]) * unit;
  // Node's timers hold 31 bits of milliseconds.
  if (match === null || duration <= 0 || duration > 2 ** 31 - 1) {
    throw usage(name, 'milliseconds above 0, or a duration such as 10s or 2m', `"${text}"`);
  }
  return Math.round(duration);
}

/** A whole number of at least 1. */
export function readCount(args: Arguments, name: string): number | undefined {
  const text = readText(args, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1) {
    throw usage(name, 'a whole number of at least 1', `"${text}"`);
  }
  return count;
}

/** A ratio from 0 to 1, also written as a percentage. */
export function readRatio(args: Arguments, name: string): number | undefined {
  const text = readText(args, name);
  if (text === undefined) return undefined;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  const ratio = percent === null ? Number(text) : Number(percent[1]) / 100;
  if (!/^[\d.]+%?$/.test(text) || !(ratio >= 0 && ratio <= 1))
    throw usage(name, 'a ratio from 0 to 1, such as 0.9 or 90%', `"${text}"`);
  return ratio;
}

/** An http or https address. */
export function readUrl(args: Arguments, name: string): URL | undefined {
  const text = readText(args, name);
  if (text === undefined) return undefined;
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const guess = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `http://${text}` : 'http://127.0.0.1:3000/mcp';
  throw usage(name, `an address such as ${guess}`, `"${text}"`);
}

/** `host:port`, `port`, or `host`; an IPv6 host stands in brackets. */
export function readListen(
  args: Arguments,
  name: string,
): { readonly host?: string; readonly port?: number } | undefined {
  const text = readText(args, name);
  if (text === undefined) return undefined;
  const match = /^(?:(\[[\da-fA-F:.]+\]|[^:[\]]*[^:[\]\d][^:[\]]*|\d+(?:\.\d+){3}))?(?::?(\d{1,5}))?$/.exec(
    text,
  );
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (match === null || (port !== undefined && port > 65_535)) {
    throw usage(name, '[host:]port, such as 8080 or 127.0.0.1:8080', `"${text}"`);
  }
  const host = match[1]?.replace(/^\[|\]$/g, '');
  return { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
}

function usage(name: string, expected: string, found: string): ChaosError {
  return new ChaosError('usage', `--${name}: expected ${expected}, found ${found}`, {
    hint: 'See mcp-chaos --help.',
  });
}
