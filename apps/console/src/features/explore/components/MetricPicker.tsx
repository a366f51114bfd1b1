import { useQuery } from '@tanstack/react-query'
import { Button, FilterButton, Picker } from '../../../ui/index.ts'
import { datasetOf } from '../model/datasets.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import { describeMetric, metricOf, usualFunctions, writeMetricFunction } from '../model/metrics.ts'
import { metricsQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import styles from './QuestionBar.module.css'

/** Which metric is asked about: by name, of one type, in one unit. */
export function MetricPicker({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}) {
  const { data = [], isError } = useQuery(metricsQuery(org, search))
  const chosen = metricOf(search.visualise)
  const keyOf = (metric: (typeof data)[number]) => writeMetricFunction('count', metric)
  return (
    <>
      <Picker
        label="Metric"
        emptyText={
          isError
            ? 'The list could not be loaded. Search for a part of a name.'
            : 'No metric of this time has that name.'
        }
        options={data.map((metric) => ({ value: keyOf(metric), label: metric.name, hint: describeMetric(metric) }))}
        value={chosen === null ? null : keyOf(chosen)}
        onPick={(key) => {
          const metric = data.find((one) => keyOf(one) === key)
          if (metric !== undefined) onChange({ visualise: usualFunctions(metric), group: [], sort: '' })
        }}
        trigger={
          <FilterButton
            name="Metric"
            className={styles.code ?? ''}
            text={chosen === null ? 'choose one' : chosen.name}
          />
        }
      />
      {chosen === null ? null : (
        <>
          <span className={styles.kind}>{describeMetric(chosen)}</span>
          <Button
            variant="ghost"
            onClick={() => onChange({ ...datasetOf('tracemetrics').usual, show: 'groups', sort: '' })}
          >
            All metrics
          </Button>
        </>
      )}
    </>
  )
}
