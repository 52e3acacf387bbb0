/**
 * The one error type that a user may see: a mistake of theirs (exit 64, no stack) or a bug of ours (70).
 *
 * What a client under test does wrong is a finding in the report, never an exception.
 */

export type ErrorCode =
  /** A flag or argument that makes no sense. */
  | 'usage'
  | 'port-in-use'
  | 'upstream-unreachable'
  | 'upstream-not-mcp'
  | 'command-not-found'
  /** A bind or an upstream that is not loopback, without the flag that allows it. */
  | 'remote-refused'
  | 'profile'
  | 'internal';

/**
 * `message` says which thing, where, what was expected and what was found; `hint` says how to fix it.
 */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code: ErrorCode;
  readonly hint?: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}

/** 70 for a bug of ours, 64 for everything that the user can put right (sysexits.h: EX_SOFTWARE, EX_USAGE). */
export function exitCodeOf(code: ErrorCode): 64 | 70 {
  return code === 'internal' ? 70 : 64;
}
