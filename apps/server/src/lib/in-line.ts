/** Does work one piece after the other, in the order in which it was given. */
export type InLine = <Result>(work: () => Promise<Result>) => Promise<Result>

export const createLine = (): InLine => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    // Whoever gave the work hears of its failure; what comes next is done all the same.
    last = own.catch(() => undefined)
    return own
  }
}
