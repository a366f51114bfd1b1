import { useQuery } from '@tanstack/react-query'

import { ButtonLink, Panel } from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { compactTransaction, type TransactionSearch } from '../../performance/model/performance-search.ts'
import { ProfileTable } from '../components/ProfileTable.tsx'
import { profilesFile, transactionProfilesQuery } from '../queries.ts'

/** The latest profiles of a transaction, and where they are added up. Nothing when there are none. */
export function TransactionProfiles({ org, search }: { readonly org: string; readonly search: TransactionSearch }) {
  const { query: _, ...ofAllRuns } = search
  const { transaction, op: __, ...scope } = ofAllRuns
  const { data = [] } = useQuery(transactionProfilesQuery(org, scope, transaction))
  if (data.length === 0) return null
  return (
    <Panel
      title="Profiles"
      subtitle="the latest"
      content="rows"
      actions={
        <>
          <ButtonLink
            size="small"
            to="/organizations/$org/profiles/sum"
            params={{ org }}
            search={compactTransaction(ofAllRuns)}
          >
            Sum of all
          </ButtonLink>
          <ExportMenu things="profiles" addressOf={profilesFile(org, scope, transaction)} />
        </>
      }
    >
      <ProfileTable org={org} profiles={data} />
    </Panel>
  )
}
