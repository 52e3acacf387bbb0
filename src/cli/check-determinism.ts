/**
 * `--check-determinism`: the promise "same seed, profile and traffic: same decisions", put to the test. The
 * command runs a second time; where the decisions differ, the first site at which they part is shown, with
 * what both runs had sent around it.
 */
import { ofKind } from '../history/queries.ts';
import { readJournal } from '../runner/judge-journal.ts';
import { type RunOptions, type RunResult, run } from '../runner/run.ts';
import { armExplicit } from '../schedule/arm.ts';
import { around, type Parting, parting } from '../schedule/compare.ts';
import { explain, type SeenCall } from '../schedule/explain.ts';
import { callLine } from './call-line.ts';
import { say } from './say.ts';

/** Resolves with false where they differ, and with an exit code where the second run could not be carried out. */
export async function checkDeterminism(options: RunOptions, first: RunResult): Promise<boolean | number> {
  say('mcp-chaos: --check-determinism: the same seed a second time');
  const second = await run({
    ...options,
    journalPath: options.journalPath.replace(/(\.ndjson)?$/, '.second.ndjson'),
  });
  const { exitCode, decisionsDigest, decisions } = second.report;
  if (second.error !== undefined || exitCode === 130) return exitCode;
  const [one, two] = [callsOf(options, first.journalPath), callsOf(options, second.journalPath)];
  const found = parting(one, two);
  if (found === undefined) {
    say(
      `mcp-chaos: deterministic: both runs made the same ${decisions.length} decisions (digest ${decisionsDigest})`,
    );
    return true;
  }
  tell(found, one, two);
  say(`  journals  ${first.journalPath}  ${second.journalPath}`);
  return false;
}

/** As recorded, not as they would be drawn. */
function callsOf({ profile }: RunOptions, path: string): readonly SeenCall[] {
  const { facts } = readJournal(path);
  const decisions = ofKind(facts, 'decision');
  return explain(facts, profile.contract, (subject) => armExplicit(decisions, subject));
}

function tell(found: Parting, one: readonly SeenCall[], two: readonly SeenCall[]): void {
  say(`mcp-chaos: not deterministic: the runs part at ${found.site}`);
  for (const [name, call, calls] of [
    ['first', found.one, one],
    ['second', found.two, two],
  ] as const) {
    const what =
      call === undefined
        ? 'did not send this call'
        : call.decision === undefined
          ? 'decided nothing for it'
          : `decided ${call.decision.fault} ${JSON.stringify(call.decision.params)}`;
    say(`  the ${name} run ${what}; in its lane:`);
    for (const near of around(calls, found))
      say(`  ${near.site === found.site ? '>' : ' '} ${callLine(near)}`);
  }
  if (found.one === undefined || found.two === undefined)
    say(
      '  The client sent other calls: the promise is for the same traffic. Clients that work at the same time need a scope each, {url}/s/<scope>.',
    );
}
