import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks again what is shown under these keys. What is on its way already may have been answered before the change: it is left
 * to come, as it is newer than what is shown, and asked for once more when it has.
 */
export async function refreshQueries(queryClient: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      const isOnItsWay = queryClient.isFetching({ queryKey }) > 0
      await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
      if (isOnItsWay) await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }),
  )
}
