import { useQuery } from '@tanstack/react-query'
import { tipsQuery, type TipsScope } from '../queries.ts'

/** Why a search finds nothing, where the server can say it: an attribute that nobody sent, a value that is written otherwise. */
export function SearchTips({
  org,
  scope,
  query,
}: {
  readonly org: string
  readonly scope: TipsScope
  readonly query: string
}) {
  const { data } = useQuery({ ...tipsQuery(org, scope, query), enabled: query.trim() !== '' })
  return data ? <p role="status">{data}</p> : null
}
