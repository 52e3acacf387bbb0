/** Profiles by name (those that ship with the package) or by file. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ChaosError } from '../errors.ts';
import { suggestion } from '../profiles/did-you-mean.ts';
import { parseProfile } from '../profiles/parse.ts';
import type { Profile } from '../profiles/schema.ts';

const shipped = fileURLToPath(new URL('../../profiles/', import.meta.url));

/** Names of the profiles that ship with the package, sorted. */
export function profileNames(): readonly string[] {
  return readdirSync(shipped)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/** @throws ChaosError `profile` with every problem of the file, or with the names that exist. */
export function loadProfile(reference: string): Profile {
  const { file, shown } = locate(reference);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new ChaosError(
      'profile',
      `the profile file ${shown} cannot be read: ${code === 'ENOENT' ? 'it does not exist' : (error as Error).message}`,
      {
        hint: `Profiles that ship with mcp-chaos: ${profileNames().join(', ')}.`,
        cause: error,
      },
    );
  }
  return parseProfile(text, shown);
}

function locate(reference: string): { readonly file: string; readonly shown: string } {
  if (/[/\\]|\.ya?ml$/.test(reference)) return { file: reference, shown: reference };
  const names = profileNames();
  if (names.includes(reference))
    return { file: `${shipped}${reference}.yaml`, shown: `profiles/${reference}.yaml` };
  throw new ChaosError('profile', `there is no profile "${reference}".${suggestion(reference, names)}`, {
    hint: `Profiles: ${names.join(', ')}. A file is named by its path: --profile ./${reference}.yaml`,
  });
}
