/** The flags that say what makes a run fail. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { ChaosError } from '../errors.ts';
import { suggestion } from '../profiles/did-you-mean.ts';
import { obligations } from '../watcher/obligations/index.ts';
import { type ExpectedFailure, failOnNames, type PolicyOptions } from '../watcher/policy.ts';
import { outcomesWorstFirst } from '../watcher/report.ts';
import type { Arguments } from './command.ts';
import { readRatio, readSwitch, readText, readTexts } from './read.ts';

/** Undefined where none of the flags was given, so that `check` keeps what the run was asked for. */
export function readPolicy(args: Arguments): PolicyOptions | undefined {
  const failOn = readTexts(args, 'fail-on');
  for (const name of failOn) {
    if (!failOnNames.includes(name)) {
      throw new ChaosError(
        'usage',
        `--fail-on: there is nothing called "${name}".${suggestion(name, failOnNames)}`,
        {
          hint: `Levels, obligations, outcomes and flags: ${failOnNames.join(', ')}.`,
        },
      );
    }
  }
  const minDetection = readRatio(args, 'min-detection');
  const file = readText(args, 'expected');
  const policy: PolicyOptions = {
    ...(failOn.length === 0 ? {} : { failOn }),
    ...(minDetection === undefined ? {} : { minDetection }),
    ...(readSwitch(args, 'suite-exit') ? { suiteExit: true } : {}),
    ...(file === undefined ? {} : { expected: readExpected(file) }),
  };
  return Object.keys(policy).length === 0 ? undefined : policy;
}

const slugs = obligations.map(({ slug }) => slug);

const entry = z.strictObject({
  obligation: z.string(),
  fault: z.string().optional(),
  tool: z.string().optional(),
  scope: z.string().optional(),
  outcome: z.enum(outcomesWorstFirst).optional(),
});

/** A YAML or JSON list of known failures. What an entry leaves out matches anything. */
function readExpected(file: string): readonly ExpectedFailure[] {
  const wrong = (found: string): ChaosError =>
    new ChaosError('usage', `--expected ${file}: ${found}`, {
      hint: 'Expected a YAML or JSON list of { obligation, fault?, tool?, scope?, outcome? }.',
    });
  let list: unknown;
  try {
    list = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong((error as Error).message.split('\n')[0]!);
  }
  const parsed = z.array(entry).safeParse(list ?? []);
  if (!parsed.success) {
    throw wrong(
      parsed.error.issues
        .map((issue) => `${z.core.toDotPath(issue.path) || 'the file'}: ${issue.message}`)
        .join('; '),
    );
  }
  for (const { obligation } of parsed.data) {
    if (!slugs.includes(obligation))
      throw wrong(`there is no obligation "${obligation}".${suggestion(obligation, slugs)}`);
  }
  return parsed.data.map(
    (one) =>
      Object.fromEntries(
        Object.entries(one).filter(([, value]) => value !== undefined),
      ) as unknown as ExpectedFailure,
  );
}
