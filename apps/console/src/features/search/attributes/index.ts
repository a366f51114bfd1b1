import { listAttributes, listAttributeValues } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import type { SearchCompletions, SearchScope } from '../queries.ts'

/** What completes a search for spans, logs and the like: attributes in place of tags. Loaded by the screens that need it. */

interface Attribute {
  /** As it is asked for: `tags[cart.lines,number]`. */
  readonly key: string
  readonly name: string
  readonly attributeType: 'string' | 'number' | 'boolean'
}

/** New attributes may take this long to be offered. */
const STALE_AFTER_MS = 60_000
const NONE: readonly Attribute[] = []

const askAttributes = ({ org, project }: SearchScope, itemType: string, signal: AbortSignal) =>
  api.call(listAttributes, { params: { org }, query: { itemType, project: [...project] }, signal })

/** Those that senders made up first. */
export function useAttributes(scope: SearchScope, itemType: string, enabled = true): readonly Attribute[] {
  const { data } = useQuery({
    queryKey: [...organizationKeys.all(scope.org), 'attributes', itemType, scope.project],
    queryFn: ({ signal }) => askAttributes(scope, itemType, signal),
    staleTime: STALE_AFTER_MS,
    enabled,
    // Without them there are those that everybody has.
    retry: false,
  })
  return data ?? NONE
}

export const completionsOf = (itemType: string): SearchCompletions => ({
  of: itemType,
  keys: async (scope, signal) => (await askAttributes(scope, itemType, signal)).map(({ key }) => key),
  values: async ({ org, project }, key, typed, signal) => {
    const found = await api.call(listAttributeValues, {
      params: { org, key },
      query: { itemType, substringMatch: typed, project: [...project] },
      signal,
    })
    return found.map(({ value, count }) => ({ value, count }))
  },
})
