/** No GET: never opens the stand-alone stream, which is legal (it MAY); careful in everything else. */
import { Careful } from './careful.mjs';
import { start } from './run.mjs';

class NoGet extends Careful {
  opensGet = false;
}

export const client = () => new NoGet();

await start(import.meta.url, client);
