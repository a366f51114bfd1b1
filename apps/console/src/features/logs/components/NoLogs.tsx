import type { ReactNode } from 'react'

import { formatExact } from '../../../lib/format.ts'
import { Button, CodeBlock, EmptyState, LinesIcon, SearchIcon } from '../../../ui/index.ts'
import { scopeQuery } from '../../issues/model/index.ts'
import { SearchTips } from '../../search/index.ts'
import { SetUpProject, useSetUp } from '../../projects/set-up/index.ts'
import type { LogFeed } from '../log-feed.ts'
import type { LogsSearch } from '../model/logs-search.ts'
import { setUpLogs } from '../model/set-up.ts'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './NoLogs.module.css'

const LONGEST = '30d'

/** An empty list says why: nothing matches, not all was looked through, or no SDK sends lines yet. */
export function NoLogs({
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
  if (feed.searchedTo !== null) {
    return (
      <EmptyState
        icon={SearchIcon}
        title="No line matches so far"
        action={
          <Button busy={feed.loads === 'older'} onClick={feed.loadOlder}>
            Look further back
          </Button>
        }
      >
        There are many lines in this time. Those since {formatExact(Date.parse(feed.searchedTo))} were looked at.
      </EmptyState>
    )
  }
  const widen =
    search.start === undefined && search.statsPeriod === LONGEST ? null : (
      <Button onClick={() => onChange({ statsPeriod: LONGEST, start: undefined, end: undefined, utc: undefined })}>
        Look at 30 days
      </Button>
    )
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <EmptyState
        icon={SearchIcon}
        title="No line matches"
        action={
          <div className={styles.actions}>
            <Button onClick={() => onChange({ query: '', environment: [] })}>Show all lines</Button>
            {widen}
          </div>
        }
      >
        <p>
          A word matches anywhere in the message, <code>attribute:value</code> what was logged beside it.
        </p>
        <SearchTips org={org} scope={{ ...scopeQuery(search), dataset: 'logs' }} query={search.query} />
      </EmptyState>
    )
  }
  return <NoneYet org={org} search={search} widen={widen} />
}

/** No lines at all: how an SDK sends them, with the DSN of the project. */
function NoneYet({
  org,
  search,
  widen,
}: {
  readonly org: string
  readonly search: LogsSearch
  readonly widen: ReactNode
}) {
  const example = useSetUp(org, search.project)
  return (
    <EmptyState
      icon={LinesIcon}
      title="No lines in this time"
      action={
        <div className={styles.actions}>
          {widen}
          <SetUpProject org={org} shown={search.project} />
        </div>
      }
    >
      <p>An SDK sends what a program logs once it is told to; new lines appear here by themselves.</p>
      {example === null ? null : (
        <div className={styles.code}>
          <CodeBlock
            wrap
            title={`With the DSN of ${example.project.name}`}
            code={setUpLogs(example.project.platform, example.dsn)}
          />
        </div>
      )}
    </EmptyState>
  )
}
