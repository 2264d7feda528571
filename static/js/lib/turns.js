// Work that is done one piece after the other: each begins when the one before it has ended, well or not.

/** A line of its own. `take(work)` gives the promise of what `work()` gives; `pending()` counts what has not ended. */
export function makeTurns() {
  let chain = Promise.resolve();
  let waiting = 0;
  const take = (work) => {
    waiting += 1;
    const done = chain.then(work).finally(() => {
      waiting -= 1;
    });
    chain = done.catch(() => {});
    return done;
  };
  return { take, pending: () => waiting };
}
