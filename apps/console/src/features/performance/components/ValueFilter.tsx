import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCompact } from '../../../lib/format.ts'
import { FilterButton, filterText, MultiPicker } from '../../../ui/index.ts'
import { chosenValues, withValues } from '../../search/model/index.ts'
import type { PerformanceSearch } from '../model/performance-search.ts'
import type { ValueFilterChoice } from '../model/value-filters.ts'
import { valuesQuery } from '../queries.ts'

interface Props extends ValueFilterChoice {
  readonly org: string
  readonly search: PerformanceSearch
  readonly onChange: (change: Partial<PerformanceSearch>) => void
}

/** Which values of an attribute: a part of the search, so that both say the same. */
export function ValueFilter({ org, search, onChange, field, label, all, many }: Props) {
  const [opened, setOpened] = useState(false)
  const { data = [], isPending } = useQuery({ ...valuesQuery(org, search, field), enabled: opened })
  const values = chosenValues(search.query, field)
  // What is chosen can be taken back, also when it is none of the most frequent.
  const missing = values.filter((value) => data.every((one) => one.value !== value))
  return (
    <MultiPicker
      label={label}
      emptyText={isPending ? 'Loading…' : `None of the most frequent. Search for ${field}:… instead.`}
      options={[
        ...missing.map((value) => ({ value, label: value })),
        ...data.map(({ value, count }) => ({ value, label: value, hint: formatCompact(count) })),
      ]}
      values={values}
      onValuesChange={(next) => onChange({ query: withValues(search.query, field, next) })}
      onOpenChange={(open) => {
        if (open) setOpened(true)
      }}
      trigger={<FilterButton name={label} text={filterText(values, all, many)} />}
    />
  )
}
