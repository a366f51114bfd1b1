import { ApiError } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ButtonLink, EmptyState, ErrorState, PageHeader, SearchIcon, SkeletonRows } from '../../../ui/index.ts'
import { wholeScope } from '../../issues/model/index.ts'
import { DEFAULT_PERIOD, type TransactionSearch } from '../../performance/model/performance-search.ts'
import { sumQuery } from '../queries.ts'
import { FlameScreen } from './FlameScreen.tsx'
import { ProfileHeader } from './ProfileHeader.tsx'

const FROM = '/signed-in/organizations/$org/profiles/sum'

/** The latest profiles of a transaction together. */
export function SumScreen() {
  const { org } = useParams({ from: FROM })
  const url = useSearch({ from: FROM })
  const search: TransactionSearch = { ...wholeScope(DEFAULT_PERIOD), ...url }
  const { data, error, refetch } = useQuery(sumQuery(org, search))
  const title = search.transaction || '(no name)'
  usePageTitle(title)
  const back = (
    <ButtonLink to="/organizations/$org/performance/summary" params={{ org }} search={url}>
      Transaction
    </ButtonLink>
  )
  if (data !== undefined) {
    return (
      <FlameScreen
        profile={data}
        order="heavy"
        showsWaiting={false}
        choices={null}
        header={
          <ProfileHeader org={org} profile={data} title={title}>
            {back}
          </ProfileHeader>
        }
      />
    )
  }
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <>
      <PageHeader title={title} />
      {isMissing ? (
        <EmptyState icon={SearchIcon} title="No profile of it in this time" action={back}>
          No profile of this transaction was received in these projects, environments and this time.
        </EmptyState>
      ) : error === null ? (
        <SkeletonRows rows={20} label="Adding up the profiles" />
      ) : (
        <ErrorState
          title="The profiles could not be added up"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </>
  )
}
