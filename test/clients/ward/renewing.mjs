/**
 * Renewal: a session is given up as a whole and another one begun, `initialize` without the old id. The
 * clients that do so add `Renewing` to whatever else they are.
 */
export const Renewing = (Base) =>
  class extends Base {
    /** Gives `lost` up, once, however many calls find out at the same time. */
    async renew(lost, why) {
      if (this.session === lost && this.renewal === undefined) {
        this.noticed.push(why.message);
        this.dropStanding();
        this.renewal = this.connect().finally(() => {
          this.renewal = undefined;
        });
        // Calls of the lost session have nothing to wait for; each decides for itself what to do.
        for (const stream of this.pending) if (stream.session === lost && !stream.over) stream.giveUp(why);
      }
      await this.renewal;
    }
  };
