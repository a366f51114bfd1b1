import { tokenize } from '@firsthand/search-syntax'
import type { ReactNode } from 'react'

import { CodeBlock, EmptyState, NoMatch, ReplayIcon } from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { SetUpProject, useSetUp } from '../../projects/set-up/index.ts'
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
        {conditionsOf(search.query) < 2
          ? null
          : 'Every condition is judged on the whole replay: two may be met on different pages, and what is excluded must be met on none.'}
      </NoMatch>
    )
  }
  return <NoneYet org={org} shown={search.project} wider={wider} />
}

const conditionsOf = (query: string): number =>
  tokenize(query).filter(({ kind }) => kind === 'filter' || kind === 'text').length

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
  const example = useSetUp(org, shown)
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
      {example === null ? null : (
        <div className={styles.code}>
          <CodeBlock wrap title={`An SDK, with the DSN of ${example.project.name}`} code={setUp(example.dsn)} />
          <CodeBlock
            wrap
            title="Or HTML, without a bundler"
            code={`<script src="${serverOf(example.dsn)}/sdk.js"\n  data-dsn="${example.dsn}"\n  data-replay async></script>`}
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
