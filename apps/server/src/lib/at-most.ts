/**
 * Does work for each of some things, for so many of them at the same time. After the first failure nothing is begun any
 * more, and when all is still, it is thrown: nothing goes on behind the back of who asked.
 *
 * @returns what each came to, in the order of the things
 */
export const atMost = async <Thing, Done>(
  count: number,
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Done>,
): Promise<Done[]> => {
  const done: Done[] = []
  const left = things.entries()
  let failed: { readonly error: unknown } | null = null
  const one = async (): Promise<void> => {
    for (const [index, thing] of left) {
      try {
        done[index] = await work(thing)
      } catch (error) {
        failed ??= { error }
      }
      if (failed !== null) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, things.length) }, one))
  if (failed !== null) throw (failed as { readonly error: unknown }).error
  return done
}
