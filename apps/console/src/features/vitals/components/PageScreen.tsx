import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { describeError } from '../../../lib/api.ts'
import { formatStep } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { PERCENTILE_LOOKS } from '../../../lib/percentile-looks.ts'
import {
  ButtonLink,
  ErrorState,
  FilterSheet,
  Link,
  PageBody,
  PageHeader,
  Panel,
  Skeleton,
  TimeSeries,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { ScopeFilters } from '../../issues/index.ts'
import { pageFromUrl } from '../model/shown.ts'
import { FACTS, formatVital } from '../model/vitals.ts'
import { compactPage, compactVitals, DEFAULT_SORT, type PageSearch } from '../model/vitals-url.ts'
import { overTimeQuery, pageCardQuery, percentilesOf, samplesQuery } from '../queries.ts'
import { DimensionPanel } from './DimensionPanel.tsx'
import { SamplesPanel } from './SamplesPanel.tsx'
import { VitalCards } from './VitalCards.tsx'
import styles from './PageScreen.module.css'

export type ChangePage = (change: Partial<PageSearch>) => void

const FROM = '/signed-in/organizations/$org/performance/vitals/page'

/** One page: its vitals, one of them over time and by who loaded it, and the worst samples with what is to blame. */
export function PageScreen() {
  const { org } = useParams({ from: FROM })
  const search = pageFromUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const name = search.page || '(no name)'
  usePageTitle(`Web vitals of ${name}`)
  const change: ChangePage = (part) => {
    void navigate({
      to: '/organizations/$org/performance/vitals/page',
      params: { org },
      search: compactPage({ ...search, ...part }),
      replace: true,
    })
  }
  const { page: _, vital: __, by: ___, ...scope } = search
  return (
    <>
      <PageHeader
        title={
          <>
            <Link
              look="quiet"
              className={styles.crumb}
              to="/organizations/$org/performance/vitals"
              params={{ org }}
              search={compactVitals({ ...scope, query: '', sort: DEFAULT_SORT })}
            >
              Web vitals
            </Link>{' '}
            <span className={styles.crumb}>/</span> <VisibleText text={name} />
          </>
        }
        actions={<WorstTrace org={org} search={search} />}
      >
        <div className={styles.filters}>
          <ScopeFilters org={org} search={search} onChange={change} />
        </div>
        <FilterSheet
          active={Number(search.project.length > 0) + Number(search.environment.length > 0)}
          done="Show the page"
          className={styles.sheetButton}
        >
          <ScopeFilters org={org} search={search} onChange={change} />
        </FilterSheet>
      </PageHeader>
      <PageBody>
        <VitalCards
          queryOf={(vital) => pageCardQuery(org, search, vital)}
          chosen={{ vital: search.vital, onChoose: (vital) => change({ vital }) }}
        />
        <OverTime org={org} search={search} onChange={change} />
        <div className={styles.columns}>
          <DimensionPanel org={org} search={search} onChange={change} />
          <SamplesPanel org={org} search={search} />
        </div>
      </PageBody>
    </>
  )
}

function WorstTrace({ org, search }: { readonly org: string; readonly search: PageSearch }) {
  const navigate = useNavigate()
  const { data = [] } = useQuery(samplesQuery(org, search))
  const [worst] = data
  useShortcut(
    't',
    () => {
      if (worst === undefined) return
      const { trace, id: span } = worst
      void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: { span } })
    },
    { label: 'Worst trace', group: 'Web vitals' },
  )
  if (worst === undefined) return null
  return (
    <ButtonLink
      variant="primary"
      kbd="t"
      to="/organizations/$org/traces/$trace"
      params={{ org, trace: worst.trace }}
      search={{ span: worst.id }}
    >
      Worst trace
    </ButtonLink>
  )
}

const CHART_HEIGHT = 180

function OverTime({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: PageSearch
  readonly onChange: ChangePage
}) {
  const { data, error, isPlaceholderData, refetch } = useQuery(overTimeQuery(org, search))
  const { label } = FACTS[search.vital]
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={`${label} over time`}
      subtitle={data === undefined || data.bucketMs === 0 ? undefined : `percentiles over ${formatStep(data.bucketMs)}`}
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton height={CHART_HEIGHT} />
        ) : (
          <ErrorState
            compact
            title="The chart could not be loaded"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <TimeSeries
          key={search.vital}
          label={`Percentiles of ${label} over time`}
          form="lines"
          unit={label}
          hideTotal
          endLabels
          times={data.times}
          bucketMs={data.bucketMs}
          incompleteFromMs={data.incompleteFromMs}
          series={percentilesOf(search.vital).map(({ label: percentile, axis }) => ({
            label: percentile,
            values: data.lines[0]?.values.get(axis) ?? [],
            ...PERCENTILE_LOOKS[percentile],
          }))}
          formatValue={(value) => formatVital(search.vital, value)}
          onRangeSelect={(from, to) =>
            onChange({ start: new Date(from).toISOString(), end: new Date(to).toISOString(), utc: undefined })
          }
          height={CHART_HEIGHT}
        />
      )}
    </Panel>
  )
}
