/** The default command: wraps a suite, injects, judges. */
import { dirname } from 'node:path';
import { measureClientTimeout } from '../../runner/measure-timeout.ts';
import { type RunOptions, run as runOnce } from '../../runner/run.ts';
import type { Report } from '../../watcher/report.ts';
import { checkDeterminism } from '../check-determinism.ts';
import type { Command } from '../command.ts';
import { finish } from '../finish.ts';
import { liveStatus } from '../live-status.ts';
import { runOptions, withOptions } from '../options.ts';
import { readCommand, readDuration, readSwitch } from '../read.ts';
import { say } from '../say.ts';
import { readSetup, type Setup } from '../setup.ts';
import { startUi } from '../ui.ts';

export const run: Command = {
  command: ['run', '$0'],
  describe: 'wrap a test command: break its streams, then say what the client did (default)',
  build: (yargs) =>
    withOptions(yargs, runOptions)
      .example('$0 --profile desync --seed 42 -- npm test', 'the main job, on the embedded server')
      .example(
        '$0 --profile desync --upstream http://127.0.0.1:3000/mcp -- npm test',
        'in front of your own server',
      )
      .example(
        '$0 --profile reconnect --client-timeout 60s -- pytest -x',
        'any language; {url} and MCP_CHAOS_URL say where to connect',
      )
      .example('$0 --profile calm --report junit=chaos.xml -- npm test', 'nothing injected: a control run'),
  async run(args) {
    const command = readCommand(args);
    const setup = readSetup(args);
    const timeoutMs = readDuration(args, 'timeout');
    const options = { ...setup.run, command, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const wrap = (all: RunOptions) => wrapAndCheck(all, setup, readSwitch(args, 'check-determinism'));
    if (!setup.measureTimeout) return wrap(options);
    say(
      "mcp-chaos: first the command runs with its first tool call stalled, to measure the client's own timeout",
    );
    const measured = await measureClientTimeout(options);
    if (measured.result.error !== undefined || measured.result.report.exitCode === 130) {
      return finish(measured.result, setup.targets, dirname(measured.result.journalPath));
    }
    if (measured.timeoutMs === undefined) {
      say('mcp-chaos: no call was given up, so the timeout stays unknown; now the run itself');
      return wrap(options);
    }
    say(`mcp-chaos: the client gave the call up after ${measured.timeoutMs} ms; now the run itself`);
    const flags = [...(options.flags ?? []), '--client-timeout', String(measured.timeoutMs)];
    return wrap({ ...options, flags, clientTimeoutMs: measured.timeoutMs });
  },
};

async function wrapAndCheck(options: RunOptions, { targets }: Setup, twice: boolean): Promise<number> {
  const status = liveStatus(process.stderr, 'title');
  const ui = await startUi(options.byHand === true);
  let report: Report | undefined;
  try {
    const result = await runOnce({
      ...options,
      onStart: (services) => {
        const { url } = services;
        say(
          `mcp-chaos: profile ${options.profileName}, seed ${options.seed}; clients connect to ${url} (MCP_CHAOS_URL)`,
        );
        ui.begin(services);
      },
      onFact: (fact) => {
        status.observe(fact);
        ui.observe(fact);
      },
    });
    report = result.report;
    status.stop();
    const code = finish(result, targets, dirname(result.journalPath));
    // 64, 70 and 130 come before everything: there is nothing to compare.
    if (!twice || result.error !== undefined || code === 130) return code;
    const same = await checkDeterminism(options, result);
    if (typeof same === 'number') return same;
    return same ? code : 3;
  } finally {
    status.stop();
    await ui.end(report);
  }
}
