import { ApiError } from '@firsthand/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { Button, ErrorState, PageHeader, SkeletonRows } from '../../../ui/index.ts'
import { TellMe } from '../../alerts/links/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { ScopeBar } from '../../issues/index.ts'
import { SearchBar } from '../../search/index.ts'
import { type LogFeed, useLogFeed } from '../log-feed.ts'
import { useLogKeys } from '../log-keys.ts'
import { LOG_KEYS } from '../model/keys.ts'
import { compactLogs, type LogsSearch, type LogsUrl, logsFromUrl } from '../model/logs-search.ts'
import { linesFile, LOG_COMPLETIONS } from '../queries.ts'
import { LogFacets } from './LogFacets.tsx'
import { LogHints } from './LogHints.tsx'
import { LogList } from './LogList.tsx'
import { LogVolume } from './LogVolume.tsx'
import { NoLogs } from './NoLogs.tsx'
import styles from './LogsScreen.module.css'

/** Below this there is room for the lines alone. */
const NARROW = '(max-width: 1000px)'

const FROM = '/signed-in/organizations/$org/logs'

export type ChangeLogs = (change: Partial<LogsSearch>) => void

/** Log lines: as they come, or as a search finds them. */
export function LogsScreen() {
  usePageTitle('Logs')
  const { org } = useParams({ from: FROM })
  const url = JSON.stringify(useSearch({ from: FROM }))
  const search = useMemo(() => logsFromUrl(JSON.parse(url) as LogsUrl), [url])
  return <Logs key={org} org={org} search={search} />
}

function Logs({ org, search }: { readonly org: string; readonly search: LogsSearch }) {
  const navigate = useNavigate()
  const write = (next: LogsSearch): void => {
    void navigate({ to: '/organizations/$org/logs', params: { org }, search: compactLogs(next), replace: true })
  }
  // Another search has other lines: the open one goes, and the newest are shown.
  const change: ChangeLogs = (part) => {
    setStartLine(undefined)
    write({ ...search, line: undefined, ...part })
  }
  const [startLine, setStartLine] = useState(search.line)
  const isNarrow = useMedia(NARROW)
  const [isPaused, setPaused] = useState(false)
  const [isAtTop, setAtTop] = useState(true)
  const isLive = search.start === undefined && startLine === undefined
  const isHeld = isPaused || !isAtTop || search.line !== undefined
  const { line: _line, facet: _facet, ...scope } = search
  const feed = useLogFeed(org, scope, { startLine, isLive, isHeld })
  const openLine = (line: string | undefined): void => write({ ...search, line })
  const toNewest = (): void => change({})
  const list = useLogKeys({ org, search, feed, openLine, change, togglePause: () => setPaused((paused) => !paused) })
  return (
    <div data-whole-window className={styles.screen}>
      <PageHeader
        title="Logs"
        actions={
          <>
            <ExportMenu things="lines" addressOf={linesFile(org, scope)} size="normal" />
            <TellMe org={org} group="Logs" about={alertOf(search)} />
            <LiveButton isLive={isLive} isPaused={isPaused} onPause={setPaused} onNewest={toNewest} />
          </>
        }
      >
        <ScopeBar org={org} search={search} onChange={change} done="Show lines" />
        <SearchBar
          className={styles.search}
          label="Search logs"
          hint="words, attribute:value, trace:…"
          value={search.query}
          onSearch={(query) => change({ query })}
          keys={LOG_KEYS}
          scope={{ org, project: search.project }}
          completions={LOG_COMPLETIONS}
          refusal={refusalOf(feed)}
        />
      </PageHeader>
      <LogVolume org={org} search={scope} onChange={change} />
      <div className={styles.panes}>
        {isNarrow ? null : <LogFacets org={org} search={search} onChange={change} />}
        <div className={styles.lines}>
          {feed.state === 'ready' && feed.lines.length > 0 ? (
            <LogList
              ref={list}
              org={org}
              search={search}
              feed={feed}
              onOpen={openLine}
              onChange={change}
              onTop={setAtTop}
              onNewest={startLine === undefined ? undefined : toNewest}
            />
          ) : (
            <Instead org={org} search={search} feed={feed} onChange={change} />
          )}
        </div>
      </div>
      <LogHints feed={feed} isLive={isLive} isHeld={isHeld} />
    </div>
  )
}

/** What an alert would watch. */
const alertOf = ({ environment, project, query }: LogsSearch) => ({
  source: 'measured',
  dataset: 'logs',
  aggregate: 'count()',
  query,
  project,
  environment,
})

/** Why the server refuses the search. */
function refusalOf({ error }: LogFeed): string | undefined {
  return error instanceof ApiError && error.status === 400 ? describeError(error).detail : undefined
}

function Instead({
  org,
  search,
  feed,
  onChange,
}: {
  readonly org: string
  readonly search: LogsSearch
  readonly feed: LogFeed
  readonly onChange: ChangeLogs
}) {
  if (feed.state === 'loading') return <SkeletonRows rows={20} label="Loading the lines" />
  if (feed.state === 'ready') return <NoLogs org={org} search={search} feed={feed} onChange={onChange} />
  const isRefused = refusalOf(feed) !== undefined
  return (
    <ErrorState
      title={isRefused ? 'This search is not valid' : 'The lines could not be loaded'}
      {...describeError(feed.error)}
      onRetry={isRefused ? undefined : feed.retry}
    />
  )
}

function LiveButton({
  isLive,
  isPaused,
  onPause,
  onNewest,
}: {
  readonly isLive: boolean
  readonly isPaused: boolean
  readonly onPause: (paused: boolean) => void
  readonly onNewest: () => void
}) {
  if (!isLive) return <Button onClick={onNewest}>To the newest</Button>
  return (
    <Button kbd="p" aria-pressed={!isPaused} onClick={() => onPause(!isPaused)}>
      <span className={styles.live} data-paused={isPaused ? '' : undefined} aria-hidden="true" />
      {isPaused ? 'Held' : 'Live'}
    </Button>
  )
}
