import { ask, start } from './server.mjs';

const server: { stop(): void } = await start();
await ask(server, 'by fetch');
server.stop();
