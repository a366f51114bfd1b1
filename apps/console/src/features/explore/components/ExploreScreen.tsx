import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { sharedFailure } from '../../../lib/shared-failure.ts'
import {
  ButtonLink,
  ChartIcon,
  EmptyState,
  ErrorState,
  PageBody,
  PageHeader,
  SegmentedControl,
} from '../../../ui/index.ts'
import { TellMe } from '../../alerts/links/index.ts'
import { ScopeBar } from '../../issues/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import { DATASETS, datasetOf } from '../model/datasets.ts'
import { defaultsOf, type ExploreSearch, fromUrl, isCatalogue, toUrl, unknownDataset } from '../model/explore-search.ts'
import { isEquation } from '../model/equations.ts'
import { ExportMenu } from '../export/index.ts'
import { changed, mappedAttribute } from '../model/heat.ts'
import { metricOf } from '../model/metrics.ts'
import { isNothing } from '../model/nothing.ts'
import { chartQuery, rowsFile, tableQuery } from '../queries.ts'
import { ChartPanel } from './ChartPanel.tsx'
import { HeatPanel } from './HeatPanel.tsx'
import { MetricCatalogue } from './MetricCatalogue.tsx'
import { NothingFound } from './NothingFound.tsx'
import { QuestionBar } from './QuestionBar.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { TablePanel } from './TablePanel.tsx'

const FROM = '/signed-in/organizations/$org/explore'

export type Change = (change: Partial<ExploreSearch>) => void

/** Any question to spans, errors, logs and metrics: what to compute, of what, in which groups; as a chart and as a table. */
export function ExploreScreen() {
  const { org } = useParams({ from: FROM })
  const url = useSearch({ from: FROM })
  const search = fromUrl(url)
  const unknown = unknownDataset(url)
  const navigate = useNavigate()
  usePageTitle('Explore')
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/explore',
      params: { org },
      search: toUrl(changed(search, part)),
      // Every question can be gone back to.
      replace: false,
    })
  }
  const { project, environment, statsPeriod, start, end, utc } = search
  const scope = { project, environment, statsPeriod, start, end, utc }
  if (unknown !== null) return <UnknownDataset org={org} name={unknown} scope={scope} />
  return (
    <>
      <PageHeader
        title="Explore"
        actions={
          <>
            <ExportMenu things="rows" addressOf={rowsFile(org, search)} size="normal" />
            <SavedQueries org={org} search={search} onOpen={change} />
            <TellMe org={org} group="Explore" about={alertOf(search)} />
          </>
        }
      >
        <SegmentedControl
          aria-label="What is explored"
          value={search.dataset}
          onValueChange={(dataset) => change({ ...defaultsOf(datasetOf(dataset)), ...scope })}
          options={DATASETS.map(({ name, label }) => ({ value: name, label }))}
        />
        <ScopeBar org={org} search={search} onChange={change} done="Show the answer" atEnd />
      </PageHeader>
      <QuestionBar org={org} search={search} onChange={change} />
      <PageBody>
        {isCatalogue(search) ? (
          <MetricCatalogue org={org} search={search} onChange={change} />
        ) : (
          <Answer org={org} search={search} onChange={change} />
        )}
      </PageBody>
    </>
  )
}

/** What an alert would watch: the first function that is no equation, by the same groups. */
function alertOf({ dataset, environment, group, project, query, visualise }: ExploreSearch) {
  const aggregate = visualise.find((one) => !isEquation(one)) ?? 'count()'
  return { source: 'measured', dataset, aggregate, group, query, project, environment }
}

/** An address that somebody wrote, or that comes from elsewhere: what it asks of is not guessed. */
function UnknownDataset({
  org,
  name,
  scope,
}: {
  readonly org: string
  readonly name: string
  readonly scope: ScopeSearch
}) {
  return (
    <>
      <PageHeader title="Explore" />
      <PageBody>
        <EmptyState
          icon={ChartIcon}
          title={
            <>
              There is no dataset <code>{name}</code>
            </>
          }
          action={DATASETS.map((dataset) => (
            <ButtonLink
              key={dataset.name}
              to="/organizations/$org/explore"
              params={{ org }}
              search={toUrl({ ...defaultsOf(dataset), ...scope })}
            >
              {dataset.label}
            </ButtonLink>
          ))}
        >
          The address of this page asks for it. Explore answers questions about these:
        </EmptyState>
      </PageBody>
    </>
  )
}

function Answer({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}) {
  const table = useInfiniteQuery(tableQuery(org, search))
  const failure = sharedFailure([useQuery(chartQuery(org, search)), table])
  if (failure !== null) {
    const { error, retry } = failure
    return <ErrorState title="There is no answer to this question" {...describeError(error)} onRetry={retry} />
  }
  const [first] = table.data?.pages ?? []
  // One sentence, not one in each panel. What was before may still be something.
  if (
    first !== undefined &&
    search.form !== 'compared' &&
    isNothing({ rows: first.data.data, samples: first.data.meta.accuracy?.sampleCount ?? [] }, search)
  )
    return <NothingFound org={org} search={search} tip={first.data.meta.tips?.query ?? null} onChange={onChange} />
  return (
    <>
      <ChartPanel org={org} search={search} onChange={onChange} />
      {hasHeatMap(search) ? <HeatPanel org={org} search={search} onChange={onChange} /> : null}
      <TablePanel org={org} search={search} onChange={onChange} />
    </>
  )
}

/** What has many different values at any time. */
function hasHeatMap(search: ExploreSearch): boolean {
  if (search.dataset === 'tracemetrics') return metricOf(search.visualise)?.type === 'distribution'
  return mappedAttribute(search) !== null
}
