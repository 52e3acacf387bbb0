/** A stand-alone proxy, for a client that cannot be wrapped: until Ctrl+C, then the report. */
import { ChaosError } from '../../errors.ts';
import { run as runOnce } from '../../runner/run.ts';
import type { Report } from '../../watcher/report.ts';
import type { Command } from '../command.ts';
import { finish } from '../finish.ts';
import { liveStatus } from '../live-status.ts';
import { type OptionName, runOptions, withOptions } from '../options.ts';
import { readWords } from '../read.ts';
import { say } from '../say.ts';
import { readSetup } from '../setup.ts';
import { startUi } from '../ui.ts';

const notForProxy: readonly OptionName[] = [
  'timeout',
  'suite-exit',
  'measure-timeout',
  'intercept',
  'url-last',
];

export const proxy: Command = {
  command: 'proxy',
  describe: 'the proxy alone, without a command, until Ctrl+C; then the report',
  build: (yargs) =>
    withOptions(
      yargs,
      runOptions.filter((name) => !notForProxy.includes(name)),
    )
      .example('$0 proxy --profile desync --listen 8080', 'connect any client to http://127.0.0.1:8080/mcp')
      .example(
        '$0 proxy --profile calm --ui',
        'explore a client by hand: watch its streams, inject faults with a click',
      ),
  async run(args) {
    if (readWords(args).length > 0) {
      throw new ChaosError('usage', 'proxy wraps no command, but one was given after --', {
        hint: 'Leave out the word proxy.',
      });
    }
    const setup = readSetup(args);
    const status = liveStatus(process.stderr, 'line');
    const ui = await startUi(setup.run.byHand === true);
    let report: Report | undefined;
    try {
      const result = await runOnce({
        ...setup.run,
        command: [],
        onStart: (services) => {
          const { url, controlUrl } = services;
          say(`mcp-chaos: profile ${setup.run.profileName}, seed ${setup.run.seed}`);
          say(`  clients connect to   ${url}`);
          say(`  one scope a client   ${new URL(url).origin}/s/<scope>${new URL(url).pathname}`);
          say(`  marks are posted to  ${controlUrl}/mark`);
          ui.begin(services);
          say('Ctrl+C ends it and prints the report.');
        },
        onFact: (fact) => {
          status.observe(fact);
          ui.observe(fact);
        },
      });
      report = result.report;
      status.stop();
      return finish(result, setup.targets, undefined);
    } finally {
      status.stop();
      await ui.end(report);
    }
  },
};
