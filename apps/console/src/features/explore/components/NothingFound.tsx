import { ChartIcon, CodeBlock, EmptyState, NoMatch } from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { SetUpProject, useProjectToSetUp } from '../../projects/set-up/index.ts'
import { datasetOf } from '../model/datasets.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import type { Change } from './ExploreScreen.tsx'
import styles from './NothingFound.module.css'

/** Nothing was found: the search is too narrow, or nothing of the kind was sent yet. */
export function NothingFound({
  org,
  search,
  tip,
  onChange,
}: {
  readonly org: string
  readonly search: ExploreSearch
  /** Why nothing was found, where that is known. */
  readonly tip: string | null
  readonly onChange: Change
}) {
  const project = useProjectToSetUp(org, search.project)
  const { things } = datasetOf(search.dataset)
  const wider = <WiderPeriod search={search} onChange={onChange} />
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <NoMatch title={`No ${things} match`} onClear={() => onChange({ query: '', environment: [] })} action={wider}>
        <p>Nothing in this time fulfils all of the conditions.</p>
        {tip === null ? null : <p>{tip}</p>}
      </NoMatch>
    )
  }
  return (
    <EmptyState
      icon={ChartIcon}
      title={`No ${things} in this time`}
      action={
        <>
          {wider}
          <SetUpProject org={org} shown={search.project} />
        </>
      }
    >
      {search.dataset === 'spans' ? (
        <p>
          An SDK sends spans once it is told for which share of requests and pages: <code>tracesSampleRate: 1.0</code>{' '}
          in <code>Sentry.init</code>, in a browser with <code>browserTracingIntegration()</code>. OpenTelemetry
          exporters can send theirs, too.
        </p>
      ) : search.dataset === 'tracemetrics' ? (
        <HowToMeasure platform={project?.platform ?? ''} />
      ) : (
        <p>Nothing of the kind has come in this time, or no SDK sends it yet.</p>
      )}
    </EmptyState>
  )
}

const JAVASCRIPT = `Sentry.metrics.count('orders', 1, { attributes: { plan: 'pro' } })
Sentry.metrics.distribution('checkout.time', 187.5, { unit: 'millisecond' })`
const PYTHON = `sentry_sdk.metrics.count("orders", 1, attributes={"plan": "pro"})
sentry_sdk.metrics.distribution("checkout.time", 187.5, unit="millisecond")`

function HowToMeasure({ platform }: { readonly platform: string }) {
  return (
    <>
      <p>An SDK sends a value wherever a program says so; OpenTelemetry exporters can send theirs, too.</p>
      <p>
        By default those count from the beginning on, which cannot be added up: histograms are refused, and counters
        become gauges. Set <code>OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta</code> where the exporter runs.
      </p>
      <div className={styles.code}>
        <CodeBlock
          wrap
          title="After the SDK is initialised"
          code={platform.startsWith('python') ? PYTHON : JAVASCRIPT}
        />
      </div>
    </>
  )
}
