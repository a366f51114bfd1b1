import type { ReactNode } from 'react'
import { ButtonLink, CodeBlock, EmptyState, GaugeIcon, NoMatch } from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { scopeQuery } from '../../issues/model/index.ts'
import { SearchTips } from '../../search/index.ts'
import { SetUpProject, useSetUp } from '../../projects/set-up/index.ts'
import type { PerformanceSearch } from '../model/performance-search.ts'
import { traceIdIn } from '../model/found.ts'
import styles from './NoTransactions.module.css'

/** An empty list says why: the search is too narrow, or no SDK measures yet. */
export function NoTransactions({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: PerformanceSearch
  readonly onChange: (change: Partial<PerformanceSearch>) => void
}) {
  const wider = <WiderPeriod search={search} onChange={onChange} />
  const trace = traceIdIn(search.query)
  if (trace !== null) {
    return (
      <NoMatch
        title="That is the id of a trace"
        onClear={() => onChange({ query: '', environment: [] })}
        action={
          <ButtonLink variant="primary" to="/organizations/$org/traces/$trace" params={{ org, trace }}>
            Open the trace
          </ButtonLink>
        }
      >
        No transaction has it in its name.
      </NoMatch>
    )
  }
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <NoMatch title="No transaction matches" onClear={() => onChange({ query: '', environment: [] })} action={wider}>
        <p>A transaction matches when its name has the words in it, and its runs fulfil the conditions.</p>
        <SearchTips org={org} scope={{ ...scopeQuery(search), dataset: 'transactions' }} query={search.query} />
      </NoMatch>
    )
  }
  return <NoneYet org={org} shown={search.project} wider={wider} />
}

/** Nothing was measured: how an SDK is told to, with the DSN of the project. */
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
      icon={GaugeIcon}
      title="No transactions in this time"
      action={
        <>
          {wider}
          <SetUpProject org={org} shown={shown} />
        </>
      }
    >
      <p>An SDK measures requests and pages once it is told for which share of them:</p>
      {example === null ? null : (
        <div className={styles.code}>
          <CodeBlock
            wrap
            title={`With the DSN of ${example.project.name}`}
            code={setUp(example.project.platform, example.dsn)}
          />
        </div>
      )}
      <p>
        <code>1.0</code> is all of them, <code>0.2</code> every fifth. In a browser add{' '}
        <code>browserTracingIntegration()</code>.
      </p>
    </EmptyState>
  )
}

function setUp(platform: string, dsn: string): string {
  if (platform.startsWith('python')) {
    return `sentry_sdk.init(\n    dsn="${dsn}",\n    traces_sample_rate=1.0,\n)`
  }
  const isBrowser = platform.startsWith('javascript')
  return [
    'Sentry.init({',
    `  dsn: '${dsn}',`,
    ...(isBrowser ? ['  integrations: [Sentry.browserTracingIntegration()],'] : []),
    '  tracesSampleRate: 1.0,',
    '})',
  ].join('\n')
}
