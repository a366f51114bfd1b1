import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { NotFoundScreen } from '../../../shell/not-found-page.tsx'
import {
  Button,
  CodeBlock,
  EmptyState,
  ErrorState,
  GaugeIcon,
  Panel,
  SearchIcon,
  SkeletonRows,
} from '../../../ui/index.ts'
import { PerformanceFrame } from '../../performance/frame/index.ts'
import { type CallsSearch, compactCalls } from '../model/calls-url.ts'
import { type CallKind, findKind } from '../model/kinds.ts'
import { allQuestion } from '../model/questions.ts'
import { listFromUrl } from '../model/shown.ts'
import { allQuery, listQuery } from '../queries.ts'
import { CallTable } from './CallTable.tsx'
import { OverTime } from './OverTime.tsx'
import { Tiles } from './Tiles.tsx'
import styles from './CallsScreen.module.css'

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
  const search = listFromUrl(kind, useSearch({ from: FROM }))
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
  const { data: all } = useQuery(allQuery(org, kind, search))
  const { data } = query
  if (data === undefined) {
    return query.isError ? (
      <ErrorState
        title={`The ${kind.things} could not be loaded`}
        {...describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <SkeletonRows rows={14} label={`Loading the ${kind.things}`} />
    )
  }
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <NoCalls kind={kind} search={search} onChange={onChange} />
  return (
    <>
      {all === undefined ? null : <Tiles kind={kind} values={all} />}
      <OverTime
        org={org}
        kind={kind}
        scope={search}
        condition={allQuestion(kind, search.query).query}
        onRange={(range) => onChange(range)}
      />
      <Panel content="rows">
        <CallTable
          org={org}
          kind={kind}
          search={search}
          rows={rows}
          all={all}
          isOutdated={query.isPlaceholderData}
          onChange={onChange}
        />
        {query.hasNextPage ? (
          <div className={styles.more}>
            <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
      </Panel>
    </>
  )
}

const LONGEST = '90d'

/** An empty list says why: the search is too narrow, or nothing of the kind was sent. */
function NoCalls({ kind, search, onChange }: Omit<Props, 'org'>) {
  const wider =
    search.start === undefined && search.statsPeriod === LONGEST ? null : (
      <Button onClick={() => onChange({ statsPeriod: LONGEST, start: undefined, end: undefined, utc: undefined })}>
        Show 90 days
      </Button>
    )
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <EmptyState
        icon={SearchIcon}
        title={`No ${kind.things} match`}
        action={
          <div className={styles.actions}>
            <Button onClick={() => onChange({ query: '', environment: [] })}>Clear the search</Button>
            {wider}
          </div>
        }
      >
        What is typed is looked for in what they have in common, without values; or it is a search.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={GaugeIcon} title={`No ${kind.things} in this time`} action={wider}>
      <p>{kind.how.text}</p>
      <div className={styles.code}>
        <CodeBlock wrap title="In JavaScript" code={kind.how.code} />
      </div>
    </EmptyState>
  )
}
