/** Shrinks what failed, one finding after another, says how far it came, and saves the cases. */

import type { Profile } from '../profiles/schema.ts';
import { plural } from '../report/lines.ts';
import type { Launch } from '../runner/apart.ts';
import { casePath, isKnownCase, saveCase } from '../runner/case-files.ts';
import { createHalt } from '../runner/halt.ts';
import { maskArguments } from '../runner/secrets.ts';
import { type ShrinkOptions, type Shrunk, shrink } from '../runner/shrink.ts';
import { version } from '../runner/version.ts';
import { distinctOf } from '../sweep/distinct.ts';
import type { Finding, Report } from '../watcher/report.ts';
import type { Arguments } from './command.ts';
import { readCount, readDuration, readText } from './read.ts';
import { say } from './say.ts';

/** One finding and the run that shows it. */
export interface Shown {
  readonly finding: Finding;
  readonly report: Report;
}

export interface ShrinkBudget {
  /** So many findings, worst first. */
  readonly findings: number;
  /** For each. */
  readonly maxTimeMs: number;
}

const defaults: ShrinkBudget = { findings: 5, maxTimeMs: 120_000 };

export function readShrinkBudget(args: Arguments): ShrinkBudget {
  const text = readText(args, 'shrink');
  return {
    findings: text === '0' ? 0 : (readCount(args, 'shrink') ?? defaults.findings),
    maxTimeMs: readDuration(args, 'shrink-time') ?? defaults.maxTimeMs,
  };
}

export interface ShrinkSetup {
  readonly launch: Launch;
  readonly profile: Profile;
  readonly profileName: string;
  readonly folder: string;
  readonly jobs: number;
  readonly budget: ShrinkBudget;
}

/** Findings come worst first. True unless it was interrupted. */
export async function shrinkFindings(shown: readonly Shown[], setup: ShrinkSetup): Promise<boolean> {
  const { launch, profile, profileName, budget } = setup;
  const command = maskArguments(launch.command, process.env);
  const fresh: Shown[] = [];
  for (const one of shown) {
    const known = { finding: { ...distinctOf(one.finding), level: '', shown: '', did: '' }, command };
    if (isKnownCase(known)) say(`${nameOf(one.finding)}: already a case, ${casePath(known)}`);
    else fresh.push(one);
  }
  if (fresh.length > budget.findings && budget.findings > 0)
    say(
      `${plural(fresh.length - budget.findings, 'finding')} beyond --shrink ${budget.findings} left as they are`,
    );
  const halt = createHalt();
  const line = liveLine(process.stderr);
  try {
    for (const { finding, report } of fresh.slice(0, budget.findings)) {
      say(
        `mcp-chaos: shrinking ${nameOf(finding)} of seed ${report.seed}, ${plural(report.decisions.length, 'decision')}`,
      );
      const options: ShrinkOptions = {
        launch,
        origin: {
          format: 1,
          profile: profileName,
          seed: report.seed,
          contract: profile.contract,
          ids: profile.ids,
          command,
          flags: maskArguments(launch.flags, process.env),
          version,
        },
        report,
        finding,
        folder: setup.folder,
        jobs: setup.jobs,
        maxTimeMs: budget.maxTimeMs,
        stops: halt,
        onRun: (runs, left) => line.show(`  run ${runs}: ${plural(left, 'decision')}`),
      };
      const shrunk = await shrink(options);
      line.clear();
      if (halt.reason() !== undefined) return false;
      tell(shrunk);
    }
    return true;
  } finally {
    line.clear();
    halt.end();
  }
}

/** A line that is redrawn; nothing where nobody watches. */
function liveLine(screen: NodeJS.WriteStream): { show(text: string): void; clear(): void } {
  const watched = screen.isTTY === true && process.env.TERM !== 'dumb';
  const write = (text: string): void => {
    if (watched) screen.write(`\r\u001b[2K${text}`);
  };
  return { show: write, clear: () => write('') };
}

function tell({ found, runs, before, cutShort }: Shrunk): void {
  if (found === undefined) {
    say(
      `  flaky: shown once, and in ${before.times} of ${before.runs} runs with the same decisions; no case was written`,
    );
    return;
  }
  const path = casePath(found);
  saveCase(found, path);
  const { decisions, shows } = found;
  const steady =
    before.times === before.runs && shows.times === shows.runs
      ? `${shows.times} of ${shows.runs} runs show it`
      : `flaky: ${before.times} of ${before.runs} runs showed it before, ${shows.times} of ${shows.runs} do now`;
  const limit = cutShort ? '; its time ran out, fewer may do' : '';
  say(`  ${found.shrunk.from} → ${plural(decisions.length, 'fault')} in ${runs} runs (${steady}${limit})`);
  for (const { fault, site, params } of decisions) say(`    ${fault} at ${site} ${JSON.stringify(params)}`);
  say(`  again  mcp-chaos replay ${path}`);
}

function nameOf({ fault, outcome }: Finding): string {
  return `${fault}: ${outcome}`;
}
