/** What can be injected. */
import * as z from 'zod';
import { faults as registry } from '../../faults/index.ts';
import type { Command } from '../command.ts';
import { readSwitch } from '../read.ts';
import { table } from '../table.ts';

export const faults: Command = {
  command: 'faults',
  describe: 'the faults that a profile may name',
  build: (yargs) =>
    yargs
      .option('json', { type: 'boolean', describe: 'as JSON, with the parameters as JSON Schema' })
      .example('$0 faults --json', 'the machine-readable catalogue'),
  async run(args) {
    process.stdout.write(
      readSwitch(args, 'json') ? `${JSON.stringify(registry.map(asJson), null, 2)}\n` : asTable(),
    );
    return 0;
  },
};

function asJson(fault: (typeof registry)[number]): unknown {
  const { name, summary, imitates, reach, channels, provokes, params } = fault;
  const bound = fault.bind({});
  return {
    name,
    summary,
    imitates,
    reach,
    channels,
    control: bound.control,
    detectability: bound.detectability,
    provokes,
    params: z.toJSONSchema(params, { io: 'input' }),
  };
}

/** Control and detectability may depend on the parameters; shown are those of the defaults. */
function asTable(): string {
  return table(
    ['fault', 'kind', 'detectable', 'what happens on the wire'],
    registry.map((fault) => {
      const bound = fault.bind({});
      return [fault.name, bound.control ? 'control' : fault.reach, bound.detectability.level, fault.summary];
    }),
  );
}
