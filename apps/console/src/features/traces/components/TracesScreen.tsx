import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import {
  Button,
  EmptyState,
  IconButton,
  Loaded,
  NoMatch,
  PageBody,
  PageHeader,
  Panel,
  PlusIcon,
  ShowMore,
  SkeletonRows,
  TracesIcon,
  TrashIcon,
} from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { ScopeBar, WiderPeriod } from '../../issues/index.ts'
import { scopeQuery } from '../../issues/model/index.ts'
import { SetUpProject } from '../../projects/set-up/index.ts'
import { completionsOf } from '../../search/attributes/index.ts'
import { SearchBar, SearchTips } from '../../search/index.ts'
import { MAX_SPANS, tracesOf, type TracesSearch, tracesUrl } from '../model/traces-url.ts'
import { foundTracesQuery, tracesFile } from '../queries.ts'
import { FoundTraces } from './FoundTraces.tsx'
import styles from './TracesScreen.module.css'

const FROM = '/signed-in/organizations/$org/traces'
const COMPLETIONS = completionsOf('spans')

/** What people look for in a span first; the server says the rest. */
const KEYS = [
  { key: 'transaction', hint: 'route or job' },
  { key: 'span.op', hint: 'operation' },
  { key: 'span.description', hint: 'statement, address' },
  { key: 'span.duration', hint: 'time, as in >500ms' },
  { key: 'span.status', hint: 'how it ended' },
  { key: 'project', hint: 'slug' },
  { key: 'release', hint: 'version of the application' },
  { key: 'user', hint: 'who waited' },
  { key: 'http.response.status_code', hint: 'as in >=500' },
  { key: 'trace', hint: 'id of the trace' },
]

type Change = (change: Partial<TracesSearch>) => void

/** Traces by what any of their spans is or has. */
export function TracesScreen() {
  const { org } = useParams({ from: FROM })
  const search = tracesOf(useSearch({ from: FROM }))
  const navigate = useNavigate()
  usePageTitle('Traces')
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/traces',
      params: { org },
      search: tracesUrl({ ...search, ...part }),
      replace: true,
    })
  }
  return (
    <>
      <PageHeader title="Traces">
        <ScopeBar org={org} search={search} onChange={change} done="Show traces" atEnd />
      </PageHeader>
      <SpanSearches org={org} search={search} onChange={change} />
      <PageBody>
        <Found org={org} search={search} onChange={change} />
      </PageBody>
    </>
  )
}

interface PartProps {
  readonly org: string
  readonly search: TracesSearch
  readonly onChange: Change
}

/** A search for each span that a trace must have. */
function SpanSearches({ org, search, onChange }: PartProps) {
  const { query, project } = search
  const [extra, setExtra] = useState(0)
  const shown = [...query, ...Array.from({ length: extra }, () => '')].slice(0, MAX_SPANS)
  const replaced = (place: number, text: string | null) => {
    if (place > 0 && place >= query.length) setExtra((count) => Math.max(0, count - 1))
    onChange({ query: shown.flatMap((one, at) => (at === place ? (text === null ? [] : [text]) : [one])) })
  }
  return (
    <div className={styles.searches}>
      {shown.map((text, place) => (
        // Their order is what they are known by.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={styles.search}>
          <span className={styles.label}>{place === 0 ? 'A span with' : 'and one with'}</span>
          <SearchBar
            label={place === 0 ? 'Search spans' : `Search a further span, ${place + 1}`}
            hint="attribute:value, words of a description …"
            value={text}
            keys={KEYS}
            scope={{ org, project }}
            completions={COMPLETIONS}
            takesSlash={place === 0}
            onSearch={(next) => replaced(place, next)}
          />
          {place === 0 ? null : (
            <IconButton icon={TrashIcon} label={`Without span ${place + 1}`} onClick={() => replaced(place, null)} />
          )}
          {place === shown.length - 1 && shown.length < MAX_SPANS ? (
            <Button
              variant="ghost"
              icon={PlusIcon}
              aria-disabled={text === ''}
              onClick={() => (text === '' ? undefined : setExtra((count) => count + 1))}
            >
              another span
            </Button>
          ) : null}
        </div>
      ))}
    </div>
  )
}

function Found({ org, search, onChange }: PartProps) {
  const query = useInfiniteQuery(foundTracesQuery(org, search))
  return (
    <Loaded
      query={query}
      failed="The traces could not be found"
      outline={<SkeletonRows rows={12} label="Looking for traces" />}
    >
      {({ pages }) => {
        const traces = pages.flatMap((page) => page.data.data)
        if (traces.length === 0) return <NoTraces org={org} search={search} onChange={onChange} />
        return (
          <Panel
            content="rows"
            title={`${formatCount(traces.length)} ${traces.length === 1 ? 'trace' : 'traces'}`}
            subtitle={query.hasNextPage ? 'the newest; there are more' : 'newest first'}
            actions={<ExportMenu things="traces" addressOf={tracesFile(org, search)} />}
          >
            <FoundTraces org={org} search={search} traces={traces} isOutdated={query.isPlaceholderData} />
            <ShowMore query={query} />
          </Panel>
        )
      }}
    </Loaded>
  )
}

function NoTraces({ org, search, onChange }: PartProps) {
  const wider = <WiderPeriod search={search} onChange={onChange} />
  if (search.query.some((one) => one !== '') || search.environment.length > 0) {
    return (
      <NoMatch title="No trace matches" onClear={() => onChange({ query: [''], environment: [] })} action={wider}>
        <p>A trace is found when one of its spans fulfils all conditions of a line.</p>
        {[...new Set(search.query)].map((query) => (
          <SearchTips key={query} org={org} scope={{ ...scopeQuery(search), dataset: 'spans' }} query={query} />
        ))}
      </NoMatch>
    )
  }
  return (
    <EmptyState
      icon={TracesIcon}
      title="No traces in this time"
      action={
        <>
          {wider}
          <SetUpProject org={org} shown={search.project} />
        </>
      }
    >
      An SDK sends traces once it is told for which share of requests and pages: <code>tracesSampleRate: 1.0</code> in{' '}
      <code>Sentry.init</code>. OpenTelemetry exporters can send theirs, too.
    </EmptyState>
  )
}
