import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../../lib/page-title.ts'
import { NotFoundScreen } from '../../../shell/not-found-page.tsx'
import { Panel, ShowMore } from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { EmptyList, FoundRows, HowCode, PerformanceFrame } from '../../performance/frame/index.ts'
import { type CallsSearch, compactCalls } from '../model/calls-url.ts'
import { type CallKind, findKind } from '../model/kinds.ts'
import { allQuestion } from '../model/questions.ts'
import { callsFromUrl } from '../model/shown.ts'
import { allQuery, listFile, listQuery } from '../queries.ts'
import { CallTable, unitOf } from './CallTable.tsx'
import { OverTime } from './OverTime.tsx'
import { Tiles } from './Tiles.tsx'

type Change = (change: Partial<CallsSearch>) => void

const FROM = '/signed-in/organizations/$org/performance/$kind'

/** All calls of one kind: how many, how slow, how many failed, and what they cost in time. */
export function CallsScreen() {
  const { kind: name } = useParams({ from: FROM })
  const kind = findKind(name)
  return kind === undefined ? <NotFoundScreen /> : <Calls key={name} kind={kind} />
}

function Calls({ kind }: { readonly kind: CallKind }) {
  const { org } = useParams({ from: FROM })
  const search = callsFromUrl(kind, useSearch({ from: FROM }))
  const navigate = useNavigate()
  usePageTitle(kind.label)
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/performance/$kind',
      params: { org, kind: kind.name },
      search: compactCalls({ ...search, ...part }),
      replace: true,
    })
  }
  return (
    <PerformanceFrame
      org={org}
      place={kind.name}
      search={search}
      onScope={change}
      find={{
        label: `Search ${kind.things}`,
        placeholder: 'Part of it, or transaction:/cart, p95(span.duration):>1s …',
        value: search.query,
        onSearch: (query) => change({ query }),
      }}
      done={`Show ${kind.things}`}
    >
      <Found org={org} kind={kind} search={search} onChange={change} />
    </PerformanceFrame>
  )
}

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallsSearch
  readonly onChange: Change
}

function Found({ org, kind, search, onChange }: Props) {
  const query = useInfiniteQuery(listQuery(org, kind, search))
  const { data: all, isPending } = useQuery(allQuery(org, kind, search))
  return (
    <FoundRows
      query={query}
      things={kind.things}
      rowsOf={(page) => page.rows}
      none={<NoCalls org={org} kind={kind} search={search} onChange={onChange} />}
    >
      {(rows) => (
        <>
          {all === undefined && !isPending ? null : <Tiles kind={kind} values={all} unit={unitOf(kind, rows)} />}
          <OverTime
            org={org}
            kind={kind}
            scope={search}
            condition={allQuestion(kind, search.query).query}
            onRange={(range) => onChange(range)}
          />
          <Panel
            content="rows"
            title={kind.things.charAt(0).toUpperCase() + kind.things.slice(1)}
            actions={<ExportMenu things={kind.things} addressOf={listFile(org, kind, search)} />}
          >
            <CallTable
              org={org}
              kind={kind}
              search={search}
              rows={rows}
              all={all}
              isOutdated={query.isPlaceholderData}
              onChange={onChange}
            />
            <ShowMore query={query} />
          </Panel>
        </>
      )}
    </FoundRows>
  )
}

function NoCalls({ org, kind, search, onChange }: Props) {
  return (
    <EmptyList
      org={org}
      search={search}
      onChange={onChange}
      noMatch={{
        title: `No ${kind.things} match`,
        text: 'What is typed is looked for in what they have in common, without values; or it is a search.',
      }}
      title={`No ${kind.things} in this time`}
    >
      <p>{kind.how.text}</p>
      <HowCode title="In JavaScript" code={kind.how.code} />
    </EmptyList>
  )
}
