/**
 * Masks what looks like a secret in a command line, because journals get attached to public issues.
 *
 * Three ways to know one: the name it is given under (`--api-key …`, `TOKEN=…`, `Authorization: …`), a
 * well-known shape (`sk-…`, `ghp_…`, a JWT, `user:password@host`), or being the value of an environment
 * variable whose name says so.
 */

const mask = '***';
const secretWord =
  /(?:^|[^a-z])(?:api-?key|access-?key|private-?key|token|secret|passwd|password|passphrase|credentials?|auth|authorization|bearer|cookie)(?:[^a-z]|$)/;
const shapes = [
  /\b(?:sk|pk|rk)[-_](?:[\w-]{16,})/g,
  /\bgh[pousr]_\w{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bnpm_\w{30,}/g,
  /\bxox[abprs]-[\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
] as const;
const bearer = /\b(bearer|basic)(\s+)[^\s'"]+/gi;
const userInfo = /(\w+:\/\/)[^/\s:@]*:[^/\s@]+@/g;
const header = /^([\w-]+)(:\s*)(.+)$/s;
const assignment = /^(-{0,2}[\w.-]+)(=)(.+)$/s;
/** Inside one argument that is a shell's script: `TOKEN=… npm test`, `--token …`. */
const inlineAssignment = /([\w.-]+)=("[^"]*"|'[^']*'|[^\s&;|]+)/g;
const inlineFlag = /(--?[\w.-]+)(\s+)([^\s-]\S*)/g;
const queryParameter = /([?&]([\w.-]+)=)([^&#\s]+)/g;

/** The arguments with secrets replaced by `***`. `environment` tells which values are secret. */
export function maskArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): readonly string[] {
  const values = secretValues(environment);
  let nextIsSecret = false;
  return args.map((argument) => {
    if (nextIsSecret && !argument.startsWith('-')) {
      nextIsSecret = false;
      return mask;
    }
    nextIsSecret = /^--?[\w.-]+$/.test(argument) && isSecretName(argument);
    return maskText(argument, values);
  });
}

function maskText(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) masked = masked.replaceAll(value, mask);
  const named = assignment.exec(masked) ?? header.exec(masked);
  if (named !== null && isSecretName(named[1]!)) return `${named[1]}${named[2]}${mask}`;
  masked = masked.replace(userInfo, `$1${mask}@`).replace(bearer, `$1$2${mask}`);
  masked = masked.replace(queryParameter, (whole, start: string, name: string) =>
    isSecretName(name) ? start + mask : whole,
  );
  masked = masked
    .replace(inlineAssignment, (whole, name: string) => (isSecretName(name) ? `${name}=${mask}` : whole))
    .replace(inlineFlag, (whole, name: string, gap: string) =>
      isSecretName(name) ? `${name}${gap}${mask}` : whole,
    );
  for (const shape of shapes) masked = masked.replace(shape, mask);
  return masked;
}

/** `API_KEY`, `apiKey`, `api-key` and `x-api-key` alike; not `max-tokens`. */
function isSecretName(name: string): boolean {
  return secretWord.test(
    name
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .replaceAll('_', '-')
      .toLowerCase(),
  );
}

/** Longest first, so that a secret that contains another is masked whole. Short values would mask half of any text. */
function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment)
    .filter(([name, value]) => value !== undefined && value.length >= 8 && isSecretName(name))
    .map(([, value]) => value!)
    .sort((a, b) => b.length - a.length);
}
