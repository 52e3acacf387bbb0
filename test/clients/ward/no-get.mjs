/** No GET: never opens the stand-alone stream, which is legal (it MAY); careful in everything else. */
import { Careful } from './careful.mjs';
import { run } from './run.mjs';

class NoGet extends Careful {
  opensGet = false;
}

await run(new NoGet());
