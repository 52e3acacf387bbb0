/** Transparent: recovers as the careful client does, but asks nothing and tells nobody: no ping, no mark. */
import { Careful } from './careful.mjs';
import { run } from './run.mjs';

class Transparent extends Careful {
  async alive() {
    return true;
  }

  async mark() {}
}

await run(new Transparent());
