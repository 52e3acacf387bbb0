/** The embedded server alone, to try a client against it without any fault. */
import { ChaosError } from '../../errors.ts';
import { isLoopback } from '../../proxy/guard-own-address.ts';
import { watchInterrupts } from '../../runner/interrupts.ts';
import type { Command } from '../command.ts';
import { withOptions } from '../options.ts';
import { readListen, readSwitch } from '../read.ts';
import { say } from '../say.ts';

export const serve: Command = {
  command: 'serve',
  describe: 'the embedded MCP server alone, until Ctrl+C',
  build: (yargs) =>
    withOptions(yargs, ['listen', 'allow-remote']).example(
      '$0 serve --listen 3000',
      'at http://127.0.0.1:3000/mcp',
    ),
  async run(args) {
    const { host = '127.0.0.1', port = 0 } = readListen(args, 'listen') ?? {};
    if (!isLoopback(host) && !readSwitch(args, 'allow-remote')) {
      throw new ChaosError(
        'remote-refused',
        `--listen ${host}: only loopback addresses are bound by default`,
        {
          hint: 'Pass --allow-remote if that is what you want.',
        },
      );
    }
    const { startEmbeddedServer } = await import('../../upstream/embedded.ts');
    const interrupts = watchInterrupts();
    const server = await startEmbeddedServer({ host, port }).catch((error: NodeJS.ErrnoException) => {
      throw new ChaosError(
        error.code === 'EADDRINUSE' ? 'port-in-use' : 'usage',
        `cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'the port is in use' : error.message}`,
        { hint: 'Choose another with --listen [host:]port, or leave it out for a free one.', cause: error },
      );
    });
    say(`mcp-chaos: the embedded MCP server is at ${server.url}; Ctrl+C ends it.`);
    await interrupts.first;
    interrupts.stop();
    await server.close();
    return 0;
  },
};
