import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Panel, ShowMore } from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { EmptyList, FoundRows, HowCode, PerformanceFrame } from '../../performance/frame/index.ts'
import { vitalsFromUrl } from '../model/shown.ts'
import { compactVitals, type VitalsSearch } from '../model/vitals-url.ts'
import { foundCardQuery, pagesFile, pagesQuery } from '../queries.ts'
import { PagesTable } from './PagesTable.tsx'
import { VitalCards } from './VitalCards.tsx'

type Change = (change: Partial<VitalsSearch>) => void

const FROM = '/signed-in/organizations/$org/performance/vitals'

/** How fast pages are for those who load them. */
export function VitalsScreen() {
  const { org } = useParams({ from: FROM })
  const search = vitalsFromUrl(useSearch({ from: FROM }))
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

interface Props {
  readonly org: string
  readonly search: VitalsSearch
  readonly onChange: Change
}

function Pages({ org, search, onChange }: Props) {
  const query = useInfiniteQuery(pagesQuery(org, search))
  return (
    <FoundRows
      query={query}
      things="pages"
      rowsOf={(page) => page.rows}
      none={<NoPages org={org} search={search} onChange={onChange} />}
    >
      {(pages) => (
        <>
          <VitalCards queryOf={(vital) => foundCardQuery(org, search, vital)} />
          <Panel
            content="rows"
            title="Pages"
            subtitle="p75 of each vital; sorted by how much is to be gained unless you choose"
            actions={<ExportMenu things="pages" addressOf={pagesFile(org, search)} />}
          >
            <PagesTable
              org={org}
              search={search}
              pages={pages}
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

const HOW = 'integrations: [Sentry.browserTracingIntegration()],\ntracesSampleRate: 1.0,'

function NoPages({ org, search, onChange }: Props) {
  return (
    <EmptyList
      org={org}
      search={search}
      onChange={onChange}
      noMatch={{
        title: 'No page matches',
        text: 'A page matches when its name has the text in it, or its loads fulfil the conditions.',
      }}
      title="No web vitals in this time"
    >
      <p>
        A browser's SDK measures them once tracing is on. Two lines in <code>Sentry.init</code>:
      </p>
      <HowCode title="In Sentry.init" code={HOW} />
      <p>The first values come when somebody leaves a page: only then are LCP, INP and CLS known.</p>
    </EmptyList>
  )
}
