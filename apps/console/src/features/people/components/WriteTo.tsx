import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { ButtonLink, SpeechIcon, useShortcut } from '../../../ui/index.ts'
import type { PersonSearch } from '../model/person-search.ts'
import { entriesQuery } from '../queries.ts'

/** An answer goes where they wrote last: to the report that is open there for it. */
export function WriteTo({
  org,
  search,
  name,
}: {
  readonly org: string
  readonly search: PersonSearch
  readonly name: string
}) {
  const { data } = useInfiniteQuery(entriesQuery(org, { ...search, tab: 'said' }))
  const said = data?.pages.flatMap((page) => page.data) ?? []
  const [report] = said.flatMap((entry) =>
    entry.kind === 'report' ? [entry.id] : entry.kind === 'message' || entry.kind === 'told' ? [entry.report] : [],
  )
  return report === undefined ? null : <Write org={org} report={report} name={name} />
}

function Write({ org, report, name }: { readonly org: string; readonly report: string; readonly name: string }) {
  const navigate = useNavigate()
  const to = {
    to: '/organizations/$org/feedback',
    params: { org },
    search: { mailbox: 'all', report },
  } as const
  useShortcut('r', () => void navigate(to), { label: 'Write to them', group: 'Person' })
  return (
    <ButtonLink variant="primary" icon={SpeechIcon} kbd="r" {...to}>
      Write to {name.split(' ', 1)[0]}
    </ButtonLink>
  )
}
