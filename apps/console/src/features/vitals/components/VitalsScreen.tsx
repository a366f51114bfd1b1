import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
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
import { listFromUrl } from '../model/shown.ts'
import { compactVitals, type VitalsSearch } from '../model/vitals-url.ts'
import { foundCardQuery, pagesQuery } from '../queries.ts'
import { PagesTable } from './PagesTable.tsx'
import { VitalCards } from './VitalCards.tsx'
import styles from './VitalsScreen.module.css'

type Change = (change: Partial<VitalsSearch>) => void

const FROM = '/signed-in/organizations/$org/performance/vitals'

/** How fast pages are for those who load them. */
export function VitalsScreen() {
  const { org } = useParams({ from: FROM })
  const search = listFromUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  usePageTitle('Web vitals')
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/performance/vitals',
      params: { org },
      search: compactVitals({ ...search, ...part }),
      replace: true,
    })
  }
  return (
    <PerformanceFrame
      org={org}
      place="vitals"
      search={search}
      onScope={change}
      find={{
        label: 'Search pages',
        placeholder: 'Part of the page, or browser.name:Chrome …',
        value: search.query,
        onSearch: (query) => change({ query }),
      }}
      done="Show pages"
    >
      <Pages org={org} search={search} onChange={change} />
    </PerformanceFrame>
  )
}

function Pages({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: VitalsSearch
  readonly onChange: Change
}) {
  const query = useInfiniteQuery(pagesQuery(org, search))
  const { data } = query
  if (data === undefined) {
    return query.isError ? (
      <ErrorState
        title="The pages could not be loaded"
        {...describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <SkeletonRows rows={14} label="Loading the pages" />
    )
  }
  const pages = data.pages.flatMap(({ rows }) => rows)
  if (pages.length === 0) return <NoPages search={search} onChange={onChange} />
  return (
    <>
      <VitalCards queryOf={(vital) => foundCardQuery(org, search, vital)} />
      <Panel
        content="rows"
        title="Pages"
        subtitle="p75 of each vital; sorted by how much is to be gained unless you choose"
      >
        <PagesTable org={org} search={search} pages={pages} isOutdated={query.isPlaceholderData} onChange={onChange} />
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
const HOW = 'integrations: [Sentry.browserTracingIntegration()],\ntracesSampleRate: 1.0,'

/** An empty list says why: the search is too narrow, or no page is measured yet. */
function NoPages({ search, onChange }: { readonly search: VitalsSearch; readonly onChange: Change }) {
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
        title="No page matches"
        action={
          <div className={styles.actions}>
            <Button onClick={() => onChange({ query: '', environment: [] })}>Clear the search</Button>
            {wider}
          </div>
        }
      >
        A page matches when its name has the text in it, or its loads fulfil the conditions.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={GaugeIcon} title="No web vitals in this time" action={wider}>
      <p>
        A browser's SDK measures them once tracing is on. Two lines in <code>Sentry.init</code>:
      </p>
      <div className={styles.code}>
        <CodeBlock wrap title="In Sentry.init" code={HOW} />
      </div>
      <p>The first values come when somebody leaves a page: only then are LCP, INP and CLS known.</p>
    </EmptyState>
  )
}
