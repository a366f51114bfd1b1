import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { CodeBlock, EmptyState, NoMatch, ReplayIcon } from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { keysQuery } from '../../projects/queries.ts'
import { SetUpProject, useProjectToSetUp } from '../../projects/set-up/index.ts'
import type { ReplaysSearch } from '../model/list-search.ts'
import styles from './NoReplays.module.css'

/** An empty list says why: the search is too narrow, or nothing is recorded yet. */
export function NoReplays({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: ReplaysSearch
  readonly onChange: (change: Partial<ReplaysSearch>) => void
}) {
  const wider = <WiderPeriod search={search} onChange={onChange} />
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <NoMatch title="No replay matches" onClear={() => onChange({ query: '', environment: [] })} action={wider}>
        Every condition is judged on the whole replay: two may be met on different pages, and what is excluded must be
        met on none.
      </NoMatch>
    )
  }
  return <NoneYet org={org} shown={search.project} wider={wider} />
}

/** Where a DSN sends to, `https://host/prefix`: the script is there as well. */
const serverOf = (dsn: string): string => dsn.replace(/\/\/[^@]*@/, '//').replace(/\/\d+$/, '')

/** Nothing was recorded: how recording is switched on, with the DSN of the project. */
function NoneYet({
  org,
  shown,
  wider,
}: {
  readonly org: string
  readonly shown: readonly string[]
  readonly wider: ReactNode
}) {
  const project = useProjectToSetUp(org, shown) ?? undefined
  const { data: keys = [] } = useQuery({ ...keysQuery(org, project?.slug ?? ''), enabled: project !== undefined })
  const dsn = keys.find((candidate) => candidate.isActive)?.dsn.public
  return (
    <EmptyState
      icon={ReplayIcon}
      title="No replays in this time"
      action={
        <>
          {wider}
          <SetUpProject org={org} shown={shown} />
        </>
      }
    >
      <p>
        Pages are recorded once an SDK is told for which share of visits. Texts and pictures are masked unless you say
        otherwise.
      </p>
      {project === undefined || dsn === undefined ? null : (
        <div className={styles.code}>
          <CodeBlock wrap title={`An SDK, with the DSN of ${project.name}`} code={setUp(dsn)} />
          <CodeBlock
            wrap
            title="Or HTML, without a bundler"
            code={`<script src="${serverOf(dsn)}/sdk.js"\n  data-dsn="${dsn}"\n  data-replay async></script>`}
          />
        </div>
      )}
    </EmptyState>
  )
}

const setUp = (dsn: string): string =>
  [
    'Sentry.init({',
    `  dsn: '${dsn}',`,
    '  integrations: [Sentry.replayIntegration()],',
    '  replaysSessionSampleRate: 0.1, // every tenth visit',
    '  replaysOnErrorSampleRate: 1.0, // and each with an error',
    '})',
  ].join('\n')
