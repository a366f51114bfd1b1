import { useQuery } from '@tanstack/react-query'

import { FilterButton, FilterSheet, filterText, MultiPicker, Select } from '../../../ui/index.ts'
import { ProjectsFilter } from '../../projects/index.ts'
import { SORTS } from '../model/stream-choices.ts'
import type { ScopeSearch, StreamSearch } from '../model/stream-search.ts'
import { environmentsQuery } from '../queries.ts'
import { PeriodSelect } from './PeriodSelect.tsx'
import styles from './StreamFilters.module.css'

interface FiltersProps {
  readonly org: string
  readonly search: StreamSearch
  readonly onChange: (change: Partial<StreamSearch>) => void
}

export interface ScopeProps {
  readonly org: string
  readonly search: ScopeSearch
  readonly onChange: (change: Partial<ScopeSearch>) => void
}

/** Which projects, which environments, how far back. */
export function ScopeFilters({ org, search, onChange }: ScopeProps) {
  const { data: environments = [] } = useQuery(environmentsQuery(org, search.project))
  return (
    <>
      <ProjectsFilter org={org} values={search.project} onChange={(project) => onChange({ project })} />
      <MultiPicker
        label="Environments"
        emptyText="No environment has that name."
        options={environments.map((environment) => ({ value: environment.name, label: environment.name }))}
        values={search.environment}
        onValuesChange={(environment) => onChange({ environment })}
        trigger={
          <FilterButton name="Environments" text={filterText(search.environment, 'All environments', 'environments')} />
        }
      />
      <PeriodSelect search={search} onChange={onChange} />
    </>
  )
}

export function SortSelect({ search, onChange }: Omit<FiltersProps, 'org'>) {
  return (
    <Select
      look="bar"
      named
      aria-label="Sort by"
      value={search.sort}
      options={SORTS}
      onValueChange={(sort) => onChange({ sort })}
    />
  )
}

/** On a phone the filters wait in a sheet. */
export function StreamFilterSheet({ org, search, onChange }: FiltersProps) {
  const active = Number(search.project.length > 0) + Number(search.environment.length > 0)
  return (
    <FilterSheet active={active} done="Show issues" className={styles.sheetButton}>
      <ScopeFilters org={org} search={search} onChange={onChange} />
      <SortSelect search={search} onChange={onChange} />
    </FilterSheet>
  )
}
