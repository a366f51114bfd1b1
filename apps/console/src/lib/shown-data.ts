import type { InferDataFromTag, QueryClient, QueryFilters, QueryKey, Updater } from '@tanstack/react-query'

/**
 * Changes what is on screen before the server answers. What is returned takes that back, except where the data has been
 * fetched since: that knows better.
 *
 * @param change the data as it should look, or undefined to leave it
 */
export function changeShown<Data>(
  client: QueryClient,
  filters: QueryFilters,
  change: (data: Data, key: QueryKey) => Data | undefined,
): () => void {
  const undone: (() => void)[] = []
  for (const [key, data] of client.getQueriesData<Data>(filters)) {
    const wanted = data === undefined ? undefined : change(data, key)
    if (wanted === undefined) continue
    const changed = client.setQueryData<Data>(key, wanted)
    undone.push(() => client.setQueryData<Data>(key, (now) => (now === changed ? data : now)))
  }
  return () => {
    for (const takeBack of undone) takeBack()
  }
}

type Shown<Key extends QueryKey> = Updater<
  InferDataFromTag<unknown, Key> | undefined,
  InferDataFromTag<unknown, Key> | undefined
>

/**
 * Shows a change before the server has answered it. What was asked for before may be answered after it, and show what was
 * before: nobody waits for that answer any more.
 */
export function showAtOnce<Key extends QueryKey>(client: QueryClient, queryKey: Key, wanted: Shown<Key>): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData<InferDataFromTag<unknown, Key>>(queryKey, wanted)
}

/** Shows what was saved, and asks again for what is on screen: others may have changed it, too. */
export function showSaved<Key extends QueryKey>(client: QueryClient, queryKey: Key, saved: Shown<Key>): void {
  showAtOnce(client, queryKey, saved)
  void client.invalidateQueries({ queryKey, exact: true })
}

/** A field of the search that a list's key ends with; '' when there is none. */
export function searchedFor(key: QueryKey, field: string): string {
  const search = key.at(-1)
  if (typeof search !== 'object' || search === null || !(field in search)) return ''
  return String((search as Readonly<Record<string, unknown>>)[field])
}
